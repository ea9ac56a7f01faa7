/**
 * What a package is made of and needs when it runs, as CycloneDX 1.5, from the lockfile: `npm sbom` leaves out of a
 * workspace what the repository also has for its development.
 */

interface Locked {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, Locked>>
}

const IN = 'node_modules/'

/** As Node.js finds it: from the folder of the one that needs it upwards. Undefined if it was left out, as optional. */
const placeOf = ({ packages }: Lockfile, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder}${folder === '' ? '' : '/'}${IN}${name}`
    const found = packages[place]
    if (found !== undefined) return found.link === true ? found.resolved : place
    if (folder === '') return undefined
  }
}

const needsOf = (lockfile: Lockfile, place: string): readonly string[] => {
  const { dependencies, optionalDependencies } = lockfile.packages[place] ?? {}
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  return names.flatMap((name) => placeOf(lockfile, place, name) ?? [])
}

const nameAt = ({ packages }: Lockfile, place: string): string =>
  packages[place]?.name ?? place.slice(place.lastIndexOf(IN) + IN.length)

const componentOf = (lockfile: Lockfile, place: string) => {
  const { version = '', license, integrity } = lockfile.packages[place] ?? {}
  const name = nameAt(lockfile, place)
  const [algorithm, digest] = integrity?.split('-') ?? []
  const hash = digest && {
    alg: algorithm?.replace('sha', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
  return {
    type: 'library',
    'bom-ref': place,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(hash && { hashes: [hash] }),
    // What ends with a plus is no id of SPDX any more.
    ...(license && { licenses: [license.includes('+') ? { license: { name: license } } : { expression: license }] }),
  }
}

/** @param place the folder of the package, such as `packages/core` */
export const billOfMaterials = (lockfile: Lockfile, place: string) => {
  const places = new Set([place])
  for (const each of places) for (const need of needsOf(lockfile, each)) places.add(need)
  const [component, ...components] = [...places].map((each) => componentOf(lockfile, each))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component },
    components,
    dependencies: [...places].map((ref) => ({ ref, dependsOn: [...new Set(needsOf(lockfile, ref))] })),
  }
}
