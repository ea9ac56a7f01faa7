import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { noteAnswer, watched } from '../../packages/app/test/watched-services.ts'
import { Child } from './child.ts'
import type { Client } from './client.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SOURCE = path.join(ROOT, 'packages/app/src/main.ts')

/** What the first line of the binary gives Node.js, for who starts Node.js with it. */
export const YOUNG_SPACE = '--max-semi-space-size=8'

/** How to start the service. */
export interface Program {
  /** After `node`: what comes before the arguments of the service. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The service from its source. */
export const fromSource = (): Program => ({ args: [SOURCE], env: {} })

/** The built product, in this folder. It must be below the project, where packages are found. */
export const built = (folder: string): Program => {
  const out = path.join(folder, 'built')
  execFileSync(process.execPath, [path.join(ROOT, 'packages/rollcall/build.ts'), out], { stdio: ['ignore', 2, 2] })
  cpSync(path.join(ROOT, 'packages/rollcall/bin'), path.join(out, 'bin'), { recursive: true })
  return { args: [YOUNG_SPACE, path.join(out, 'bin/rollcall.cjs')], env: {} }
}

const COMPILED = path.join(import.meta.dirname, '../../node_modules/.cache/compiled')

/** They are removed when this process ends, however it does. */
const homes = new Set<string>()
process.on('exit', () => {
  for (const folder of homes) rmSync(folder, { recursive: true, force: true })
})

/** A folder for one service, and what it is configured with. */
export class Home implements AsyncDisposable {
  readonly folder: string
  readonly port: number
  readonly #settings: Readonly<Record<string, string>>

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.folder = folder
    this.port = port
    this.#settings = settings
  }

  /** `settings` by their names without the prefix. */
  static async make(settings: Readonly<Record<string, string>>): Promise<Home> {
    const folder = await mkdtemp(path.join(tmpdir(), 'rollcall-proving-'))
    homes.add(folder)
    return new Home(folder, await freePort(), settings)
  }

  /** For another instance of the same service: on the same database and data folder, with a port of its own. */
  async beside(settings: Readonly<Record<string, string>> = {}): Promise<Home> {
    return await Home.make({ ...this.#settings, DATA_DIR: this.data, ...settings })
  }

  get data(): string {
    return this.#settings.DATA_DIR ?? path.join(this.folder, 'data')
  }

  get environment(): Record<string, string> {
    const settings = {
      DATA_DIR: this.data,
      PORT: `${this.port}`,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...this.#settings,
    }
    return {
      NODE_ENV: 'production',
      PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      // Most of a start is reading and compiling the program.
      NODE_COMPILE_CACHE: COMPILED,
      TMPDIR: tmpdir(),
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value])),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    homes.delete(this.folder)
    await rm(this.folder, { recursive: true, force: true })
  }
}

const LONGEST_START = 60_000
const MOST_STDERR = 8_000

/** `rollcall serve`, or another command of it, in a process of its own. */
export class Service extends Child {
  /** Milliseconds from its start until it was ready. */
  readyIn = Number.NaN
  readonly #output: Readonly<Record<'stdout' | 'stderr', string>>

  private constructor(program: Program, home: Home, args: readonly string[]) {
    const output = { stdout: '', stderr: '' }
    super({
      command: [process.execPath, ...program.args, ...args],
      cwd: home.folder,
      env: { ...(args[0] === 'serve' ? watched() : {}), ...home.environment, ...program.env },
      url: `http://127.0.0.1:${home.port}`,
      onOutput: (text, stream) => {
        output[stream] = stream === 'stdout' ? output.stdout + text : (output.stderr + text).slice(-MOST_STDERR)
      },
    })
    this.#output = output
  }

  static start(program: Program, home: Home, ...args: readonly string[]): Service {
    return new Service(program, home, args)
  }

  get stdout(): string {
    return this.#output.stdout
  }

  /** The end of its standard error. */
  get stderr(): string {
    return this.#output.stderr
  }

  /** False if it ended before it was ready, or was not ready in a minute. */
  async ready(client: Client): Promise<boolean> {
    const began = performance.now()
    while (this.isRunning && performance.now() - began < LONGEST_START) {
      const answer = await client.get('/readyz')
      this.readyIn = performance.now() - began
      if (answer?.status === 200) {
        // Through a proxy, another instance may have answered.
        if (this.url.endsWith(`:${client.port}`)) noteAnswer(this.pid)
        return true
      }
      await sleep(3)
    }
    return false
  }
}
