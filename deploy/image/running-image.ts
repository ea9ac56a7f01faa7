import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { AS_ROOT, asRoot, type ImageConfig, type ImageStore } from './image-store.ts'

/** What Docker's and Kubernetes' defaults hide of the machine. */
const MASKED = ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/sched_debug', '/sys/firmware']
const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger']

const mount = (destination: string, type: string, ...options: readonly string[]) => ({
  destination,
  type,
  source: type,
  options: ['nosuid', 'noexec', 'nodev', ...options],
})

/**
 * The image, started by runc: its root is read-only, its user no root and without a capability, and nothing but its
 * volume, in memory here, can be written. It shares the network of this machine, so that it can be asked.
 */
export class RunningImage implements AsyncDisposable {
  readonly #bundle: string
  readonly #id: string
  readonly #root: string
  readonly #config: ImageConfig
  #child: ChildProcess | undefined
  output = ''

  private constructor(bundle: string, root: string, config: ImageConfig) {
    this.#bundle = bundle
    this.#id = path.basename(bundle)
    this.#root = root
    this.#config = config
  }

  /** `start` starts it. */
  static async of(store: ImageStore, id: string): Promise<RunningImage> {
    const bundle = await mkdtemp(path.join(os.tmpdir(), 'rollcall-bundle-'))
    return new RunningImage(bundle, await store.mount(id), await store.configOf(id))
  }

  get environment(): readonly string[] {
    return this.#config.Env
  }

  /** Folders of this machine take the places in the container that are named; its volume is in memory otherwise. */
  async start(
    environment: Readonly<Record<string, string>>,
    folders: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { User, Env, Entrypoint, Cmd, WorkingDir, Volumes } = this.#config
    const [uid = 0, gid = 0] = User.split(':').map(Number)
    const added = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    const inMemory = Object.keys(Volumes)
      .filter((destination) => !(destination in folders))
      .map((destination) => mount(destination, 'tmpfs', 'mode=0700', `uid=${uid}`, `gid=${gid}`))
    const bound = Object.entries(folders).map(([destination, source]) => {
      return { ...mount(destination, 'bind', 'rbind'), source }
    })
    const specification = {
      ociVersion: '1.0.2',
      root: { path: this.#root, readonly: true },
      process: {
        user: { uid, gid },
        args: [...Entrypoint, ...Cmd],
        env: [...Env, ...added],
        cwd: WorkingDir,
        noNewPrivileges: true,
        capabilities: {},
      },
      mounts: [
        mount('/proc', 'proc'),
        { ...mount('/dev', 'tmpfs', 'mode=755'), options: ['nosuid', 'mode=755'] },
        ...inMemory,
        ...bound,
      ],
      linux: {
        namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
        maskedPaths: MASKED,
        readonlyPaths: READ_ONLY,
      },
    }
    await writeFile(path.join(this.#bundle, 'config.json'), JSON.stringify(specification))
    const [program = '', ...args] = [
      ...AS_ROOT,
      'runc',
      'run',
      '--bundle',
      this.#bundle,
      '--pid-file',
      this.#pidFile,
      this.#id,
    ]
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
  }

  /** What it said, if it has ended by itself. */
  get lastWords(): string | undefined {
    return typeof this.#child?.exitCode === 'number' ? this.output : undefined
  }

  get #pidFile(): string {
    return path.join(this.#bundle, 'pid')
  }

  /** Milliseconds in which its main thread could have run, and other programs had the processors. */
  async waitedForProcessor(): Promise<number> {
    const pid = await readFile(this.#pidFile, 'utf8')
    const [, nanoseconds] = (await readFile(`/proc/${pid.trim()}/schedstat`, 'utf8')).split(' ')
    return Number(nanoseconds) / 1e6
  }

  /** A command in the container, as `docker exec` has it. */
  async execute(...command: readonly string[]): Promise<string> {
    const { stdout, stderr } = await asRoot('runc', 'exec', this.#id, ...command)
    return `${stdout}${stderr}`
  }

  /** As an engine asks whether it is healthy. */
  async checkHealth(): Promise<string> {
    const [kind, ...command] = this.#config.Healthcheck.Test
    if (kind !== 'CMD') throw new Error(`A health check by ${kind} needs a shell.`)
    return await this.execute(...command)
  }

  /** Sends the signal to its first process; the exit code. */
  async end(signal: 'TERM' | 'KILL'): Promise<number | null> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    await asRoot('runc', 'kill', this.#id, signal)
    const [code] = await ended
    return code
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('KILL').catch(() => undefined)
    await asRoot('runc', 'delete', '--force', this.#id).catch(() => undefined)
    await asRoot('rm', '-rf', this.#bundle)
  }
}
