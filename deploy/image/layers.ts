import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Architecture, type ShippedPackage, writeApplication } from './application.ts'
import { type Base, debianFile } from './debian.ts'
import { entriesOf, textEntry, withFolders } from './files.ts'
import type { NodeRuntime } from './node-runtime.ts'
import { type Entry, type Layer, layerOf } from './tar.ts'

const run = promisify(execFile)

/** A user that no image and no host has by another name. */
export const USER = 65532
export const NODE = '/usr/local/bin/node'
export const PREFIX = '/opt/rollcall'
/** A volume; the data is in a folder below it, which the service makes and closes. */
export const STATE = '/var/lib/rollcall'

const inScratch = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-image-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of a package of Debian, nothing but libraries and licences. Converters of character sets are a quarter of libc. */
const isShipped = (name: string): boolean =>
  !name.includes('/gconv/') &&
  (/^(?:lib|lib64|usr\/lib)\//.test(name) || /^usr\/share\/doc\/[^/]+(?:$|\/copyright$)/.test(name))

const FILES: readonly Entry[] = [
  textEntry('etc/passwd', `root:x:0:0:root:/:/nologin\nrollcall:x:${USER}:${USER}:Rollcall:${STATE}:/nologin\n`),
  textEntry('etc/group', `root:x:0:\nrollcall:x:${USER}:\n`),
  textEntry('etc/nsswitch.conf', 'hosts: files dns\n'),
  { name: 'tmp/', mode: 0o1777 },
]

/** The libraries that Node.js needs, with what a scanner of images reads: `os-release`, and a status of each package. */
export const baseLayer = async (base: Base, architecture: Architecture): Promise<Layer> =>
  await inScratch(async (scratch) => {
    const entries: Entry[] = [...FILES]
    for (const one of base.packages) {
      const file = await debianFile(base, one, architecture)
      const folder = path.join(scratch, one.name)
      await run('dpkg-deb', ['--extract', file, folder])
      entries.push(...(await entriesOf(folder, '')).filter(({ name }) => isShipped(name) && !name.endsWith('/')))
      const { stdout } = await run('dpkg-deb', ['--field', file])
      entries.push(textEntry(`var/lib/dpkg/status.d/${one.name}`, stdout))
    }
    const release = {
      PRETTY_NAME: 'Rollcall on Debian',
      NAME: 'Debian GNU/Linux',
      ID: 'debian',
      VERSION_ID: base.version,
    }
    const lines = Object.entries(release).map(([name, value]) => `${name}="${value}"\n`)
    entries.push(textEntry('etc/os-release', lines.join('')))
    return await layerOf(withFolders(entries))
  })

export const nodeLayer = async ({ binary, license }: NodeRuntime): Promise<Layer> =>
  await layerOf(
    withFolders([
      { name: NODE.slice(1), mode: 0o755, content: binary },
      textEntry('usr/share/doc/node/copyright', license),
    ]),
  )

export interface ApplicationLayer extends Layer {
  readonly packages: readonly ShippedPackage[]
}

export const applicationLayer = async (): Promise<ApplicationLayer> =>
  await inScratch(async (scratch) => {
    const packages = await writeApplication(scratch, NODE)
    const healthcheck = await readFile(path.join(import.meta.dirname, 'healthcheck.cjs'))
    const entries: Entry[] = [
      ...(await entriesOf(scratch, PREFIX.slice(1))),
      { name: `${PREFIX.slice(1)}/healthcheck.cjs`, mode: 0o644, content: healthcheck },
      { name: 'usr/local/bin/rollcall', mode: 0o777, link: `${PREFIX}/bin/rollcall` },
      { name: `${STATE.slice(1)}/`, mode: 0o700, owner: USER },
    ]
    return { ...(await layerOf(withFolders(entries))), packages }
  })
