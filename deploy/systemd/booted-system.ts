import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const AS_ROOT = process.getuid?.() === 0 ? [] : ['sudo', '-n']
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid', '--cgroup', '--root', '--wd']
const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

const asRoot = async (program: string, ...args: readonly string[]) => {
  const [first = program, ...rest] = [...AS_ROOT, program, ...args]
  return await execute(first, rest, { maxBuffer: 32 * 1024 * 1024 })
}

/**
 * A system that systemd has booted in namespaces of its own: its root is an overlay over this machine's, its network
 * has nothing but a loopback, and all of it is gone in the end.
 */
export class BootedSystem implements AsyncDisposable {
  readonly #boot: ChildProcess
  readonly #init: string
  readonly #scratch: string

  private constructor(boot: ChildProcess, init: string, scratch: string) {
    this.#boot = boot
    this.#init = init
    this.#scratch = scratch
  }

  /** The folder is its `/mnt`; these units are started. */
  static async boot(
    shared: string,
    units: readonly string[] = ['systemd-journald.service', 'dbus.socket'],
  ): Promise<BootedSystem> {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'rollcall-boot-'))
    const [program = '', ...args] = [...AS_ROOT, path.join(import.meta.dirname, 'boot.sh'), scratch, shared]
    const boot = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    boot.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    const ended = once(boot, 'exit').then(() => {
      throw new Error(`No system could be booted:\n${complaint}`)
    })
    ended.catch(() => {})
    const init = await Promise.race([initOf(boot), ended])
    const system = new BootedSystem(boot, init, scratch)
    const answers = () => system.run('systemctl show --property Version').catch(() => undefined)
    while ((await Promise.race([answers(), ended])) === undefined) await sleep(20)
    await system.run(`systemctl start ${units.join(' ')}`).catch(async (error: Error) => {
      await system[Symbol.asyncDispose]()
      throw new Error(`No system could be booted:\n${error.message}`)
    })
    return system
  }

  /** What the lines of a shell print there, as root, in this folder; its root has all that this machine has. */
  async run(script: string, folder = '/'): Promise<string> {
    const shell = ['bash', '-ec', `cd '${folder}'\n${script}`]
    const inside = ['env', '-i', `PATH=${PATH}`, 'HOME=/root', ...shell]
    const { stdout, stderr } = await asRoot('nsenter', '--target', this.#init, ...NAMESPACES, ...inside)
    return `${stdout}\n${stderr}`
  }

  /** Which capabilities and filters a process of there has: a line of its `status`. */
  async statusOf(process: string, field: string): Promise<string> {
    return (await this.run(`sed -n 's/^${field}:\\s*//p' /proc/${process}/status`)).trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#boot, 'exit')
    // The first of its processes takes all others with it.
    await asRoot('kill', '-KILL', this.#init)
    await gone
    const groups = ['-path', `*/${path.basename(this.#scratch)}*`, '-type', 'd', '-delete']
    await asRoot('find', '/sys/fs/cgroup', '-depth', ...groups)
    await rm(this.#scratch, { recursive: true, force: true })
  }
}

/** The first process below this one that is systemd; the scripts before it become it. */
const initOf = async (above: ChildProcess): Promise<string> => {
  while (above.exitCode === null && above.signalCode === null) {
    for (const pid of await descendants(Number(above.pid))) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      if (name.trim() === 'systemd') return pid
    }
    await sleep(20)
  }
  throw new Error('There is no systemd.')
}

const descendants = async (pid: number | string): Promise<string[]> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const direct = children.split(' ').filter(Boolean)
  return [...direct, ...(await Promise.all(direct.map(descendants))).flat()]
}
