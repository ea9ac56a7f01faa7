import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { removeLeftovers } from '../../packages/storage-sql/test/postgres-server/leftovers.ts'
import { serverAccount, startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../../reliability/service/process-tree.ts'
import { Daemon } from './daemon.ts'

const PREFIX = 'rollcall-world-'
/** Milliseconds in which a PostgreSQL server ends at once. */
const LAST_WORDS = 5_000

const places = new Set<Place>()
process.on('exit', () => {
  for (const place of places) place.clear()
})

/** A temporary folder for everything that one scenario starts. It goes with all of that, also when this process ends. */
export class Place implements Disposable {
  readonly folder: string
  readonly #daemons = new Set<Daemon>()

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

  /** Starts a program, as an account other than root. */
  run(command: readonly [program: string, ...args: string[]], cwd: string): Daemon {
    const daemon = new Daemon({ command, cwd, account: serverAccount() })
    this.#daemons.add(daemon)
    return daemon
  }

  /** Ends everything that runs here, and removes it. */
  clear(): void {
    if (!places.delete(this)) return
    for (const daemon of this.#daemons) daemon.killAll()
    for (const file of pidFilesIn(this.folder)) endPostgres(file)
    // On a busy machine what was killed may write for a moment yet.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}

const pidFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'postmaster.pid')
    .map((name) => path.join(folder, name))

const SHARED_MEMORY_LINE = 6

/** Of a postmaster that has made itself independent of what started it, also of one that was killed. */
const endPostgres = (file: string): void => {
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  const segment = lines[SHARED_MEMORY_LINE]?.trim().split(/\s+/)[1]
  if (worksIn(pid, path.dirname(file))) {
    signalTree(pid, 'SIGCONT')
    process.kill(pid, 'SIGQUIT')
    // It removes the file as the last thing.
    for (const end = Date.now() + LAST_WORDS; Date.now() < end && existsSync(file); ) pause(50)
    killTree(pid)
  }
  // A server that was killed leaves its shared memory to the next one on the same data, which never comes.
  if (segment !== undefined) spawnSync('ipcrm', ['-m', segment])
}

/** Its number may have been given to another process meanwhile. */
const worksIn = (pid: number, folder: string): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}

const pause = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Of the server that `TEST_POSTGRES_URL` names, or of one that ends with the place. */
export const postgresIn = async (place: Place): Promise<string> =>
  process.env.TEST_POSTGRES_URL ?? (await startPostgres({}, place.folder)).url
