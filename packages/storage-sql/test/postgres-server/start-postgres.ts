import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { binaryFolders, HOW_TO_GET_ONE } from './find-postgres.ts'
import { removeLeftovers } from './leftovers.ts'

export interface PostgresServer {
  /** Of a superuser, with the database `postgres`. */
  readonly url: string
  readonly pid: number
  readonly folder: string
  readonly data: string
  /** As a crash of it: no client gets an answer, nothing more is written. */
  crash(): Promise<void>
  /** Once more where it was, after a crash. */
  start(): Promise<void>
  stop(): Promise<void>
}

const PREFIX = 'rollcall-postgres-'
// `nobody` on Linux: PostgreSQL refuses to run as root.
const NOBODY = 65_534
const TRIES = 3

/** The user a server runs as: the one that starts it, except root. */
export const serverAccount = (): { uid?: number; gid?: number } =>
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** A server of its own, in a new folder of the parent, for this machine only. `settings` as in postgresql.conf. */
export const startPostgres = async (
  settings: Readonly<Record<string, string>> = {},
  parent = tmpdir(),
  folders = binaryFolders(),
): Promise<PostgresServer> => {
  removeLeftovers(tmpdir(), PREFIX)
  const folder = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`))
  // The server's user must have access.
  chmodSync(folder, 0o711)
  const troubles: string[] = []
  for (const found of folders) {
    const binaries = within(folder, found)
    const data = path.join(folder, `data${troubles.length}`)
    const trouble = initialise(binaries, data)
    if (trouble === undefined) return await launch({ binaries, data, folder, settings })
    troubles.push(`${found}: ${trouble}`)
  }
  rmSync(folder, { recursive: true, force: true })
  throw new Error([HOW_TO_GET_ONE, ...troubles].join('\n'))
}

/** The binaries, copied to where another account can run them if they are out of its reach. */
export const within = (folder: string, binaries: string): string => {
  const reachable = spawnSync(path.join(binaries, 'postgres'), ['--version'], { ...serverAccount() }).status === 0
  if (reachable) return binaries
  const copy = path.join(folder, 'native')
  cpSync(path.dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return path.join(copy, 'bin')
}

const initialise = (binaries: string, data: string): string | undefined => {
  mkdirSync(data, { mode: 0o700 })
  const { uid, gid } = serverAccount()
  if (uid !== undefined && gid !== undefined) chownSync(data, uid, gid)
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync']
  const { status, stderr, error } = spawnSync(path.join(binaries, 'initdb'), ['-D', data, ...options], {
    ...serverAccount(),
    cwd: data,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
  })
  return status === 0 ? undefined : (error?.message ?? stderr)
}

interface Launch {
  readonly binaries: string
  readonly data: string
  readonly folder: string
  readonly settings: Readonly<Record<string, string>>
}

export const launch = async (order: Launch): Promise<PostgresServer> => {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    let running = run(order, port)
    if (await answers(url, running.child)) {
      const { folder, data } = order
      return {
        url,
        folder,
        data,
        get pid() {
          return running.child.pid ?? 0
        },
        crash: async () => {
          running.child.kill('SIGQUIT')
          await ended(running.child)
        },
        start: async () => {
          running = run(order, port)
          if (!(await answers(url, running.child))) throw new Error(`PostgreSQL did not start again.\n${running.log()}`)
        },
        stop: () => stop(running.child, folder),
      }
    }
    await ended(running.child)
    if (tries >= TRIES) {
      rmSync(order.folder, { recursive: true, force: true })
      throw new Error(`PostgreSQL did not start.\n${running.log()}`)
    }
  }
}

const run = ({ binaries, data, settings }: Launch, port: number) => {
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    // Beside the data, and gone with them, even where the server is killed.
    dynamic_shared_memory_type: 'mmap',
    ...settings,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(path.join(binaries, 'postgres'), ['-D', data, ...options], {
    ...serverAccount(),
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Whatever ends this process by itself, Ctrl-C included, ends the server.
  const endIt = (): void => void child.kill('SIGQUIT')
  process.once('exit', endIt)
  child.once('exit', () => process.off('exit', endIt))
  let log = ''
  child.stderr.on('data', (text) => {
    log = `${log}${text}`.slice(-4_000)
  })
  return { child, log: () => log }
}

const answers = async (url: string, child: ChildProcess): Promise<boolean> => {
  while (!hasEnded(child)) {
    try {
      await lookAt(url, async () => undefined)
      return true
    } catch {
      // Not yet, or its port was taken.
      await sleep(20)
    }
  }
  return false
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

export const ended = async (child: ChildProcess): Promise<void> => {
  if (!hasEnded(child)) await once(child, 'exit')
}

/** A look at a database from outside. */
export const lookAt = async <Result>(url: string, look: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await look(client)
  } finally {
    await client.end()
  }
}

const stop = async (child: ChildProcess, folder: string): Promise<void> => {
  // Fast: open connections are terminated.
  child.kill('SIGINT')
  await ended(child)
  rmSync(folder, { recursive: true, force: true })
}

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
