import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Architecture } from './application.ts'
import { CACHE } from './cache.ts'

/**
 * The libraries that Node.js is linked with, from Debian, each of one version and by its hash in `base.json`. Debian
 * keeps only the newest of a release: when a version is gone, and for every security update, pin the newest ones with
 *
 *     npm run image:base
 */

const run = promisify(execFile)
const BASE = path.join(import.meta.dirname, 'base.json')
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
const ARCHITECTURES: readonly Architecture[] = ['amd64', 'arm64']

export interface DebianPackage {
  readonly name: string
  readonly license: string
  readonly version: string
  readonly sha256: Readonly<Record<Architecture, string>>
}

export interface Base {
  readonly suite: string
  /** Of Debian. */
  readonly version: string
  readonly packages: readonly DebianPackage[]
}

export const readBase = async (): Promise<Base> => JSON.parse(await readFile(BASE, 'utf8'))

/** The file of the package, from the cache or from Debian's mirror by way of this machine's apt. */
export const debianFile = async (
  { suite }: Base,
  { name, version, sha256 }: DebianPackage,
  architecture: Architecture,
): Promise<string> => {
  const wanted = sha256[architecture]
  const cached = path.join(CACHE, 'debian', `${wanted}.deb`)
  if ((await hashOf(cached)) === wanted) return cached
  await mkdir(path.dirname(cached), { recursive: true })
  await withApt(suite, architecture, async (apt, folder) => {
    await apt('apt-get', 'download', `${name}=${version}`).catch((cause: unknown) => {
      const remedy = 'Pin the newest versions with `npm run image:base`, or see what apt says.'
      throw new Error(`Debian's mirror does not give ${name} ${version}. ${remedy}`, { cause })
    })
    const file = (await readdir(folder)).find((one) => one.endsWith('.deb')) ?? ''
    const found = await hashOf(path.join(folder, file))
    if (found !== wanted) throw new Error(`${name} ${version} has the hash ${found}, and ${wanted} is pinned.`)
    await copyFile(path.join(folder, file), cached)
  })
  return cached
}

const hashOf = async (file: string): Promise<string | undefined> => {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex')
}

type Apt = (program: string, ...args: readonly string[]) => Promise<string>

/** With lists of its own: what is installed here and what is looked for have nothing to do with one another. */
const withApt = async (
  suite: string,
  architecture: Architecture,
  use: (apt: Apt, folder: string) => Promise<void>,
): Promise<void> => {
  if (!existsSync(KEYS))
    throw new Error(`Debian's keys are not at ${KEYS}: \`apt-get install debian-archive-keyring\`.`)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-apt-'))
  try {
    for (const part of ['state/lists/partial', 'cache/archives/partial', 'downloaded'])
      await mkdir(path.join(folder, part), { recursive: true })
    const source = (place: string, of: string) => `deb [signed-by=${KEYS}] http://deb.debian.org/${place} ${of} main\n`
    await writeFile(
      path.join(folder, 'sources.list'),
      source('debian', suite) + source('debian-security', `${suite}-security`),
    )
    await writeFile(path.join(folder, 'status'), '')
    const options = Object.entries({
      'Dir::State': `${folder}/state`,
      'Dir::State::status': `${folder}/status`,
      'Dir::Cache': `${folder}/cache`,
      'Dir::Etc::sourcelist': `${folder}/sources.list`,
      'Dir::Etc::sourceparts': '-',
      'APT::Architecture': architecture,
      'APT::Architectures': architecture,
      'APT::Sandbox::User': '',
      'Acquire::Languages': 'none',
    }).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const downloaded = path.join(folder, 'downloaded')
    const apt: Apt = async (program, ...args) => (await run(program, [...options, ...args], { cwd: downloaded })).stdout
    await apt('apt-get', '-qq', 'update')
    await use(apt, downloaded)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a control file, or a list of packages, says in a field. */
const field = (text: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? ''

const pinNewest = async (): Promise<void> => {
  const base = await readBase()
  const newest = new Map(base.packages.map((one) => [one.name, { ...one, version: '', sha256: {} }]))
  for (const architecture of ARCHITECTURES)
    await withApt(base.suite, architecture, async (apt) => {
      for (const one of newest.values()) {
        const shown = await apt('apt-cache', 'show', '--no-all-versions', one.name)
        one.version = field(shown, 'Version')
        Object.assign(one.sha256, { [architecture]: field(shown, 'SHA256') })
      }
    })
  await writeFile(BASE, `${JSON.stringify({ ...base, packages: [...newest.values()] }, undefined, 2)}\n`)
}

if (import.meta.main) await pinNewest()
