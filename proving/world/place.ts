import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeLeftovers } from '../../packages/storage-sql/test/postgres-server/leftovers.ts'
import { startStandby } from '../../packages/storage-sql/test/postgres-server/standby.ts'
import {
  type PostgresServer,
  serverAccount,
  startPostgres,
} from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { signalTree } from '../shared/processes.ts'
import { opened } from '../shared/wire.ts'

const PREFIX = 'rollcall-world-'
const PATIENCE = 60_000
const MOST_LOG = 20_000
/** Milliseconds in which a PostgreSQL server ends at once. */
const LAST_WORDS = 5_000
const SHARED_MEMORY_LINE = 6

const places = new Set<Place>()
process.on('exit', () => {
  for (const place of places) place.clear()
})

/** A temporary folder for everything that one scenario starts. It goes with all of that, also when this process ends. */
export class Place implements Disposable {
  readonly folder: string
  readonly #daemons = new Set<ChildProcess>()
  readonly #servers = new Set<PostgresServer>()

  constructor() {
    removeLeftovers(tmpdir(), PREFIX)
    this.folder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`))
    // What runs as another account must come through.
    chmodSync(this.folder, 0o711)
    places.add(this)
  }

  /** A folder for one of the programs, which belongs to the account that they run as. */
  make(name: string): string {
    const folder = path.join(this.folder, name)
    mkdirSync(folder, { mode: 0o700 })
    const { uid, gid } = serverAccount()
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    return folder
  }

  /** Starts a program that others made, as an account other than root. @throws {Error} it does not listen in time */
  async run(
    [program, ...args]: readonly [program: string, ...args: string[]],
    cwd: string,
    port: number,
  ): Promise<void> {
    const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: cwd, TMPDIR: cwd, LC_ALL: 'C.UTF-8' }
    // A process group of its own, which is ended as one.
    const child = spawn(program, args, {
      ...serverAccount(),
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#daemons.add(child)
    let log = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log = `${log}${text}`.slice(-MOST_LOG)
      })
    child.once('error', (error) => {
      log += error.message
    })
    for (
      const end = performance.now() + PATIENCE;
      performance.now() < end && child.exitCode === null;
      await sleep(20)
    ) {
      const socket = await opened(port).catch(() => undefined)
      socket?.destroy()
      if (socket !== undefined) return
    }
    throw new Error(`${program} did not start.\n${log}`)
  }

  /** One that may be stopped and lost. */
  async postgres(): Promise<PostgresServer> {
    return this.#owning(await startPostgres({}, this.folder))
  }

  /** A server that follows it. */
  async standbyOf(primary: PostgresServer): Promise<PostgresServer> {
    return this.#owning(await startStandby(primary))
  }

  /** Of the server that `TEST_POSTGRES_URL` names, or of one of its own. */
  async postgresUrl(): Promise<string> {
    return process.env.TEST_POSTGRES_URL ?? (await this.postgres()).url
  }

  /** Ends everything that runs here, and removes it. */
  clear(): void {
    if (!places.delete(this)) return
    for (const { pid } of this.#daemons)
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    for (const server of this.#servers) end(server)
    // On a busy machine what was killed may write for a moment yet.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  [Symbol.dispose](): void {
    this.clear()
  }

  #owning(server: PostgresServer): PostgresServer {
    this.#servers.add(server)
    return server
  }
}

const end = ({ data, pid }: PostgresServer): void => {
  const file = path.join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const segment = readFileSync(file, 'utf8').split('\n')[SHARED_MEMORY_LINE]?.trim().split(/\s+/)[1]
  signalTree(pid, 'SIGCONT')
  signalTree(pid, 'SIGQUIT')
  // It removes the file as the last thing.
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (const late = Date.now() + LAST_WORDS; Date.now() < late && existsSync(file); ) Atomics.wait(pause, 0, 0, 50)
  // A server that was killed leaves its shared memory to the next one on the same data, which never comes.
  if (segment !== undefined && existsSync(file)) spawnSync('ipcrm', ['-m', segment])
}
