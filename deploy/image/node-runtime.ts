import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Architecture, lockedPackages, NODE_NAME } from './application.ts'
import { CACHE } from './cache.ts'

const run = promisify(execFile)

export interface NodeRuntime {
  readonly name: string
  readonly version: string
  /** As the lockfile has it. */
  readonly integrity: string
  readonly binary: Uint8Array
  readonly license: string
}

/** The Node.js that `tools/node` names, for any processor: the same package, by the hash of the lockfile. */
export const nodeRuntime = async (architecture: Architecture): Promise<NodeRuntime> => {
  const name = `node-linux-${NODE_NAME[architecture]}`
  const { version, integrity = '' } = (await lockedPackages('tools/node'))[`node_modules/${name}`] ?? { version: '' }
  const tarball = path.join(CACHE, 'node', `${name}-${version}.tgz`)
  if ((await integrityOf(tarball)) !== integrity) await download(`${name}@${version}`, integrity, tarball)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-node-'))
  try {
    await run('tar', ['-xzf', tarball, '-C', folder, 'package/bin/node', 'package/LICENSE'])
    const binary = await readFile(path.join(folder, 'package/bin/node'))
    const license = await readFile(path.join(folder, 'package/LICENSE'), 'utf8')
    return { name, version, integrity, binary, license }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const download = async (wanted: string, integrity: string, tarball: string): Promise<void> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-npm-'))
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, wanted])
    const file = path.join(folder, stdout.trim())
    const found = await integrityOf(file)
    if (found !== integrity) throw new Error(`${wanted} has the hash ${found}, and the lockfile says ${integrity}.`)
    await mkdir(path.dirname(tarball), { recursive: true })
    await cp(file, tarball)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const integrityOf = async (file: string): Promise<string | undefined> => {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined ? undefined : `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}
