import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { type Ran, runInProcess } from './run-in-process.ts'
import { ServiceInProcess } from './serve-in-process.ts'
import { noteAnswer, watched } from './watched-services.ts'

const MAIN = path.join(import.meta.dirname, '../src/main.ts')
/** Reading the program is most of a start. */
const COMPILED = path.join(import.meta.dirname, '../../../node_modules/.cache/compiled')

export interface Output {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const environmentOf = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value]))

/** Not by another user, who could not read a checkout in a folder such as root's own. */
const WITHOUT_PRIVILEGES = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search']

interface ProcessOptions {
  readonly main: string
  /** Whether permissions hold for it, as they do for any user but root. */
  readonly unprivileged?: boolean
  /** Whether its spans are not looked at, as they are of each process that serves. */
  readonly unwatched?: boolean
}

/** A process of the binary, without the launcher between: what kills it kills the service itself. */
export class Process {
  readonly child: ChildProcess
  readonly ended: Promise<Output>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], settings: Readonly<Record<string, string>>, cwd: string, more: ProcessOptions) {
    const { main, unprivileged = false, unwatched = false } = more
    const node = [process.execPath, main, ...args]
    const [program, ...rest] = unprivileged && process.getuid?.() === 0 ? [...WITHOUT_PRIVILEGES, ...node] : node
    const { PATH = '', TMPDIR = os.tmpdir() } = process.env
    const spans = args[0] === 'serve' && !unwatched ? watched() : {}
    const env = { PATH, TMPDIR, NODE_COMPILE_CACHE: COMPILED, ...spans, ...environmentOf(settings) }
    this.child = spawn(program as string, rest, { cwd, env, stdio: 'pipe' })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      return { code, signal, stdout: this.stdout, stderr: this.stderr }
    })
  }

  async kill(signal: NodeJS.Signals): Promise<Output> {
    this.child.kill(signal)
    return await this.ended
  }
}

/** A folder of its own for one service, and every process that was started on it. */
export class Home implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
  readonly #main: string
  readonly #processes: Process[] = []
  readonly #services: ServiceInProcess[] = []

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>, main: string) {
    this.#main = main
    this.folder = folder
    this.port = port
    this.settings = {
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(port),
      LOG_FORMAT: 'json',
      RATE_LIMIT: 'off',
      ...settings,
    }
  }

  /** `main` is the program that it runs; by default the source itself. */
  static async make(settings: Readonly<Record<string, string>> = {}, main = MAIN): Promise<Home> {
    return new Home(await mkdtemp(path.join(os.tmpdir(), 'rollcall-app-')), await freePort(), settings, main)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** What the settings are as environment variables. */
  environment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    return environmentOf({ ...this.settings, ...settings })
  }

  /** A process of its own. */
  start(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Process {
    return this.#start(args, settings, { main: this.#main })
  }

  /** A command, to its end, that permissions keep from files also if root runs the tests. */
  async runUnprivileged(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
    const command = this.#start(args, settings, { main: this.#main, unprivileged: true })
    command.child.stdin?.end()
    return await command.ended
  }

  #start(args: readonly string[], settings: Readonly<Record<string, string>>, options: ProcessOptions): Process {
    const started = new Process(args, { ...this.settings, ...settings }, this.folder, options)
    this.#processes.push(started)
    return started
  }

  /** A command, to its end; in the process of the test, if what it is to run is the source itself. */
  async run(...args: readonly string[]): Promise<Ran> {
    return await this.runWith({}, ...args)
  }

  async runWith(settings: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> {
    if (this.#main === MAIN)
      return await runInProcess(args, { folder: this.folder, environment: this.environment(settings) })
    const command = this.start(args, settings)
    command.child.stdin?.end()
    return await command.ended
  }

  /** A server that is ready, in a process of its own. */
  async serve(settings: Readonly<Record<string, string>> = {}): Promise<Process> {
    const server = await this.#ready(this.start(['serve'], settings))
    noteAnswer(server.child.pid ?? 0)
    return server
  }

  /**
   * The same without an SDK that looks at its spans: for what measures the time or the memory that answers take, and for a
   * release that had none.
   */
  async serveUnwatched(): Promise<Process> {
    return await this.#ready(this.#start(['serve'], {}, { main: this.#main, unwatched: true }))
  }

  async #ready(server: Process): Promise<Process> {
    const ready = async () => {
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      await answer?.arrayBuffer()
      return answer?.status === 200
    }
    await eventually(async () => server.child.exitCode !== null || (await ready()), 'that the service is ready')
    if (server.child.exitCode === null) return server
    throw new Error(`the service did not become ready: ${server.stdout}${server.stderr}`)
  }

  /** A server that is ready, in the process of the test: for what does not hang on its being a process. */
  async serveInProcess(settings: Readonly<Record<string, string>> = {}): Promise<ServiceInProcess> {
    // Every span is looked at, however many there are in a second.
    const environment = this.environment({ TRACING_RATE: 'off', ...this.settings, ...settings })
    const service = await ServiceInProcess.start(this.folder, environment)
    this.#services.push(service)
    return service
  }

  /** What the form sends; with the name of the person, if one is given. */
  async signUp(email: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await fetch(`${this.url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email, ...fields }) })
  }

  /** The names of the mails that are written as files. */
  async mails(): Promise<string[]> {
    const names = await readdir(path.join(this.folder, 'data/mail')).catch(() => [])
    return names.filter((name) => name.endsWith('.eml')).sort()
  }

  async token(subject: string, ...roles: readonly string[]): Promise<string> {
    const { stdout, stderr } = await this.run(
      'token',
      'issue',
      '--subject',
      subject,
      ...roles.flatMap((role) => ['--role', role]),
    )
    if (stdout === '') throw new Error(stderr)
    return stdout.trim()
  }

  /** As instances on one database have them. */
  async takeKeysOf(other: Home): Promise<void> {
    await mkdir(path.join(this.folder, 'data'), { recursive: true, mode: 0o700 })
    for (const name of ['link-keys.json', 'signing-keys.json'])
      await copyFile(path.join(other.folder, 'data', name), path.join(this.folder, 'data', name))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((started) => started.kill('SIGKILL')))
    await Promise.all(this.#services.map((service) => service.stop()))
    await rm(this.folder, { recursive: true, force: true })
  }
}
