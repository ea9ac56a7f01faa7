import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MAIN = path.join(import.meta.dirname, '../src/main.ts')

export const freePort = async (): Promise<number> => {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

export interface Output {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface ProcessOptions {
  readonly main: string
  readonly uid: number | undefined
}

/** A process of the binary, without the launcher between: what kills it kills the service itself. */
export class Process {
  readonly child: ChildProcess
  readonly ended: Promise<Output>
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], settings: Readonly<Record<string, string>>, cwd: string, more: ProcessOptions) {
    const { main, uid } = more
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ROLLCALL_${name}`, value]))
    const user = uid === undefined ? {} : { uid, gid: uid }
    const options = { cwd, env: { PATH: process.env.PATH ?? '', ...env }, stdio: 'pipe', ...user } as const
    this.child = spawn(process.execPath, [main, ...args], options)
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

  /** `main` is the program that it runs; the source itself unless told otherwise. */
  static async make(settings: Readonly<Record<string, string>> = {}, main = MAIN): Promise<Home> {
    return new Home(await mkdtemp(path.join(os.tmpdir(), 'rollcall-app-')), await freePort(), settings, main)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** As another user where its number is given, which only root may. */
  start(args: readonly string[], settings: Readonly<Record<string, string>> = {}, uid?: number): Process {
    const started = new Process(args, { ...this.settings, ...settings }, this.folder, { main: this.#main, uid })
    this.#processes.push(started)
    return started
  }

  /** A command, to its end. */
  async run(...args: readonly string[]): Promise<Output> {
    const command = this.start(args)
    command.child.stdin?.end()
    return await command.ended
  }

  /** A server that is ready. */
  async serve(settings: Readonly<Record<string, string>> = {}): Promise<Process> {
    const server = this.start(['serve'], settings)
    for (const end = Date.now() + 20_000; Date.now() < end; await sleep(20)) {
      if (server.child.exitCode !== null) break
      const ready = await fetch(`${this.url}/readyz`).catch(() => undefined)
      await ready?.arrayBuffer()
      if (ready?.status === 200) return server
    }
    throw new Error(`the service did not become ready: ${server.stdout}${server.stderr}`)
  }

  /** Every process that was started, to its end. */
  async stopAll(signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.#processes.map((started) => started.kill(signal)))
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

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((started) => started.kill('SIGKILL')))
    await rm(this.folder, { recursive: true, force: true })
  }
}
