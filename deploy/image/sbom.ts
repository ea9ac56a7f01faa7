import { createHash } from 'node:crypto'
import type { Architecture, ShippedPackage } from './application.ts'
import type { Base } from './debian.ts'
import type { NodeRuntime } from './node-runtime.ts'

export const SBOM_TYPE = 'application/vnd.cyclonedx+json'

export interface Contents {
  readonly architecture: Architecture
  readonly version: string
  readonly created: string
  readonly base: Base
  readonly node: NodeRuntime
  readonly packages: readonly ShippedPackage[]
  /** Of the image's manifest. */
  readonly digest: string
}

/** What npm allows beside the ids and expressions of SPDX. */
const OF_NO_LIST = /^(?:UNLICENSED|SEE LICENSE IN .*)$/

/** An expression of SPDX is no id of a licence. */
const licenses = (license: string | undefined) => {
  if (license === undefined) return undefined
  if (OF_NO_LIST.test(license)) return [{ license: { name: license } }]
  return /[ ()]/.test(license) ? [{ expression: license.replace(/^\((.*)\)$/, '$1') }] : [{ license: { id: license } }]
}

const encoded = (name: string): string => name.replace('@', '%40')

const npm = ({ name, version, license, integrity }: ShippedPackage) => {
  const purl = `pkg:npm/${encoded(name)}@${version}`
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
  const hashes = [{ alg: 'SHA-512', content }]
  return { type: 'library', 'bom-ref': purl, name, version, hashes, licenses: licenses(license), purl }
}

const debian = ({ packages, version }: Base, architecture: Architecture) =>
  packages.map((one) => {
    const place = `arch=${architecture}&distro=debian-${version}`
    const purl = `pkg:deb/debian/${one.name.replaceAll('+', '%2B')}@${one.version.replaceAll('+', '%2B')}?${place}`
    const hashes = [{ alg: 'SHA-256', content: one.sha256[architecture] }]
    const { name, license } = one
    return { type: 'library', 'bom-ref': purl, name, version: one.version, hashes, licenses: licenses(license), purl }
  })

/** What Node.js itself is made of; this script runs on the version that is in the image. */
const partsOfNode = ({ version: wanted }: NodeRuntime) => {
  const { node, ...parts } = process.versions
  if (node !== wanted) throw new Error(`The image gets Node.js ${wanted}, so build it with that one, not ${node}.`)
  const named = Object.entries(parts).filter(([name]) => !['modules', 'napi'].includes(name))
  return named.map(([name, version = '']) => ({ type: 'library', 'bom-ref': `node/${name}`, name, version }))
}

/** A software bill of materials: everything in the image, by its version, hash and licence, as CycloneDX 1.6 has it. */
export const sbomOf = (contents: Contents) => {
  const { architecture, version, created, base, node, packages, digest } = contents
  const unique = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]))
  const runtime = npm({ ...node, license: 'MIT', path: '' })
  const purl = `pkg:oci/rollcall@${digest.replace(':', '%3A')}?arch=${architecture}`
  // A number of its own, and the same for the same image.
  const hex = createHash('sha256').update(purl).digest('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid.join('-')}`,
    version: 1,
    metadata: {
      timestamp: created,
      component: { type: 'container', 'bom-ref': purl, name: 'rollcall', version, purl },
    },
    components: [
      ...debian(base, architecture),
      { ...runtime, type: 'platform', components: partsOfNode(node) },
      ...[...unique.values()].sort((one, other) => (one.name < other.name ? -1 : 1)).map(npm),
    ],
  }
}
