import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../packages/app/test/free-port.ts'
import { noteAnswer, watched } from '../../packages/app/test/watched-services.ts'
import { Child, type OutputListener } from './child.ts'
import { signalTree } from './processes.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const CACHE = path.join(ROOT, 'node_modules/.cache')

export interface Program {
  /** What comes before its own arguments. */
  readonly command: readonly [string, ...string[]]
  /** Whether it is a child of what is started. */
  readonly isTraced?: boolean
}

/** The product from its source. */
export const fromSource = (): Program => ({
  command: [process.execPath, path.join(ROOT, 'packages/app/src/main.ts')],
})

/** A new folder that goes with this process: on the disk of the project, and where its packages are found. */
export const scratchFolder = (): string => {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(path.join(CACHE, 'proving-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Builds this clone into the folder as it is published; gives its command. */
export const build = (folder: string): string => {
  execFileSync(process.execPath, [path.join(ROOT, 'packages/rollcall/build.ts'), folder], {
    stdio: ['ignore', 'ignore', 2],
  })
  return path.join(folder, 'bin/rollcall.cjs')
}

/** The product as it is published. */
export const built = (): Program => ({ command: [build(path.join(scratchFolder(), 'built'))] })

const COMPILED = path.join(CACHE, 'compiled')

/** They are removed when this process ends, however it does. */
const homes = new Set<string>()
process.on('exit', () => {
  for (const folder of homes) rmSync(folder, { recursive: true, force: true })
})

/** With the Node.js that runs this first: it runs the service as well, whatever else is installed. */
export const pathWithNode = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter)

/** Settings by their names without the prefix, as environment variables. */
export const prefixed = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value]))

/** A folder for one service, and what it is configured with. */
export class Home implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder
    this.port = port
    this.settings = settings
  }

  /** `settings` by their names without the prefix. */
  static async make(settings: Readonly<Record<string, string>>, parent = tmpdir()): Promise<Home> {
    const folder = await mkdtemp(path.join(parent, 'rollcall-proving-'))
    homes.add(folder)
    return new Home(folder, await freePort(), settings)
  }

  /** For another instance of the same service: on the same database and data folder, with a port of its own. */
  async beside(settings: Readonly<Record<string, string>> = {}): Promise<Home> {
    return await Home.make({ ...this.settings, DATA_DIR: this.data, ...settings })
  }

  get data(): string {
    return this.settings.DATA_DIR ?? path.join(this.folder, 'data')
  }

  get environment(): Record<string, string> {
    const settings = {
      DATA_DIR: this.data,
      PORT: `${this.port}`,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...this.settings,
    }
    return {
      NODE_ENV: 'production',
      PATH: pathWithNode,
      // Most of a start is reading and compiling the program.
      NODE_COMPILE_CACHE: COMPILED,
      TMPDIR: tmpdir(),
      ...prefixed(settings),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    homes.delete(this.folder)
    await rm(this.folder, { recursive: true, force: true })
  }
}

const LONGEST_START = 60_000
const MOST_KEPT = 8_000

/** `rollcall serve`, or another command of it, in a process of its own. */
export class Service extends Child {
  readonly #output: Readonly<Record<'stdout' | 'stderr', string>>
  readonly #isTraced: boolean

  constructor(program: Program, home: Home, args: readonly string[], onOutput?: OutputListener) {
    const output = { stdout: '', stderr: '' }
    const isCommand = args[0] !== 'serve'
    super({
      command: [...program.command, ...args],
      cwd: home.folder,
      env: { ...(isCommand ? {} : watched()), ...home.environment },
      port: home.port,
      onOutput: (text, stream) => {
        output[stream] = (output[stream] + text).slice(isCommand && stream === 'stdout' ? 0 : -MOST_KEPT)
        onOutput?.(text, stream)
      },
    })
    this.#output = output
    this.#isTraced = program.isTraced === true
  }

  /** All of it, of a command; the end, of a service. */
  get stdout(): string {
    return this.#output.stdout
  }

  /** The end of its standard error. */
  get stderr(): string {
    return this.#output.stderr
  }

  /** To the product itself, whatever it runs under. */
  override signal(signal: NodeJS.Signals): void {
    if (this.#isTraced) signalTree(this.pid, signal)
    else super.signal(signal)
  }

  /** False if it ended before it was ready, or was not ready in a minute. `port`: that of a proxy in front. */
  async ready(port = this.port): Promise<boolean> {
    const isReady = await this.comesTo(200, LONGEST_START, port)
    // Through a proxy, another instance may have answered.
    if (isReady && port === this.port) noteAnswer(this.pid)
    return isReady
  }
}
