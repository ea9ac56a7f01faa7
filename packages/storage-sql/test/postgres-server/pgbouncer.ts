import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended, freePort, hasEnded, lookAt, serverAccount } from './start-postgres.ts'

const HOW_TO_GET_ONE = 'This needs PgBouncer: `apt-get install pgbouncer`, or whatever installs it where you are.'
const PATIENCE = 10_000
const MOST_LOG = 20_000

export interface PgBouncerOptions {
  readonly mode?: 'session' | 'transaction'
  /** As in pgbouncer.ini. */
  readonly settings?: Readonly<Record<string, string>>
  /** The file of another PgBouncer than the one that is installed. */
  readonly program?: string | undefined
}

/** They end with this process, however it ends. */
const open = new Set<PgBouncer>()
process.on('exit', () => {
  for (const bouncer of open) bouncer.remove()
})

/** A PgBouncer of its own in front of a server, for this machine and the user in the server's address only. */
export class PgBouncer implements AsyncDisposable {
  readonly #folder: string
  readonly #port: number
  readonly #program: string
  #head: readonly string[] = []
  #child: ChildProcess | undefined
  #log = ''

  private constructor(folder: string, port: number, file: string) {
    this.#folder = folder
    this.#port = port
    this.#program = file
  }

  /** @throws {Error} PgBouncer is not installed, or did not start; the message says what to do, or what PgBouncer wrote */
  static async start(server: string, options: PgBouncerOptions = {}): Promise<PgBouncer> {
    const { mode = 'session', settings = {}, program = installed() } = options
    const { hostname, port, username } = new URL(server)
    const user = username || 'postgres'
    const folder = mkdtempSync(path.join(tmpdir(), 'rollcall-pgbouncer-'))
    // It runs under another account.
    chmodSync(folder, 0o711)
    const bouncer = new PgBouncer(folder, await freePort(), program)
    open.add(bouncer)
    bouncer.#head = ['[databases]', `* = host=${hostname} port=${port || 5432}`, '[pgbouncer]', `admin_users = ${user}`]
    bouncer.configure({ pool_mode: mode, ...settings })
    writeFileSync(bouncer.#users, `"${user}" ""\n`, { mode: 0o644 })
    await bouncer.start()
    return bouncer
  }

  /** For its next start. As in pgbouncer.ini. */
  configure(settings: Readonly<Record<string, string>>): void {
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: String(this.#port),
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: this.#users,
      default_pool_size: '50',
      max_client_conn: '500',
      ...settings,
    }
    const lines = [...this.#head, ...Object.entries(all).map(([name, value]) => `${name} = ${value}`)]
    writeFileSync(this.#file, `${lines.join('\n')}\n`, { mode: 0o644 })
  }

  /** The same database, by way of this. */
  through(url: string): string {
    return Object.assign(new URL(url), { host: `127.0.0.1:${this.#port}` }).href
  }

  /** Once more, after it has ended. */
  async start(): Promise<void> {
    const child = spawn(this.#program, [this.#file], {
      ...serverAccount(),
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log = `${this.#log}${text}`.slice(-MOST_LOG)
      })
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(20)) {
      if (hasEnded(child)) break
      if (await isListening(this.#port)) return
    }
    throw new Error(`PgBouncer did not start.\n${this.#log}`)
  }

  /** As a crash of it: it says nothing to anybody. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.kill('SIGKILL')
    await ended(child)
  }

  /** Everybody is cut off. */
  async shutDown(): Promise<void> {
    await this.command('SHUTDOWN')
    if (this.#child) await ended(this.#child)
  }

  /** On its console. It may close the connection instead of an answer. */
  async command(text: string): Promise<void> {
    await lookAt(`postgres://postgres@127.0.0.1:${this.#port}/pgbouncer`, (client) =>
      client.query(text).catch((error) => {
        if (text !== 'SHUTDOWN') throw error
      }),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    this.remove()
  }

  /** Without waiting for anything. */
  remove(): void {
    open.delete(this)
    this.#child?.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #file(): string {
    return path.join(this.#folder, 'pgbouncer.ini')
  }

  get #users(): string {
    return path.join(this.#folder, 'users.txt')
  }
}

// Debian puts it where only root looks.
const installed = (): string => {
  const found = ['pgbouncer', '/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
    (name) => (name.startsWith('/') ? existsSync(name) : spawnSync(name, ['--version']).error === undefined),
  )
  if (found === undefined) throw new Error(HOW_TO_GET_ONE)
  return found
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
