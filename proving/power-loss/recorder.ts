import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { RecordedProcess } from './recorded-process.ts'

/** All calls that change a file or send something. */
const CALLS =
  'open,openat,write,writev,pwrite64,pwritev,pwritev2,sendmsg,sendto,fsync,fdatasync,ftruncate,truncate,fallocate,' +
  'rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,lseek,' +
  'copy_file_range,sendfile,splice,io_uring_setup,mmap'
/** Bytes; more than any single write has. */
const LONGEST_WRITE = 16 * 1024 * 1024
const OPTIONS = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', `${LONGEST_WRITE}`, '-e', `trace=${CALLS}`]

/** The command that runs a program under strace. */
const traced = (trace: string, program: string, args: readonly string[]): [string, string[]] => [
  'strace',
  [...OPTIONS, '-o', trace, program, ...args],
]

/** Why system calls cannot be recorded here, and what to do; undefined if they can. */
export const whyNotTraced = (): string | undefined => {
  if (process.platform !== 'linux') return 'System calls are recorded by strace, which needs Linux: run this there.'
  const { error, status, stderr } = spawnSync(...traced('/dev/null', '/bin/true', []), { encoding: 'utf8' })
  if (error) return 'strace is missing, which records system calls: run `apt-get install strace`.'
  if (status === 0) return undefined
  const reason = stderr.trim().split('\n').at(-1) || `it exited with ${status}`
  return `strace cannot record here (${reason}). Use strace 5.3 or newer; start a container with --cap-add=SYS_PTRACE.`
}

/** A program that is to be run: a message to the launcher. */
export interface LaunchOrder {
  readonly id: number
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export type LaunchReport = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly code: number | null }
)

const LAUNCHER = path.join(import.meta.dirname, 'launcher.ts')

/** Recorders are ended with this process. */
const recording = new Set<Recorder>()
process.on('exit', () => {
  for (const recorder of recording) recorder.kill()
})

/** Runs processes, and records the system calls of all of them in one trace. */
export class Recorder implements AsyncDisposable {
  readonly #tracer: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #processes: RecordedProcess[] = []

  constructor(trace: string) {
    // Its messages pass strace, which hands on what is open.
    this.#tracer = spawn(...traced(trace, process.execPath, [LAUNCHER]), { stdio: ['ignore', 2, 2, 'ipc'] })
    recording.add(this)
    this.#ended = once(this.#tracer, 'exit').finally(() => recording.delete(this))
    this.#tracer.on('message', (report: LaunchReport) => this.#processes[report.id]?.take(report))
  }

  start({ env, ...order }: Omit<LaunchOrder, 'id'>): RecordedProcess {
    const started = new RecordedProcess()
    const id = this.#processes.push(started) - 1
    // Operations through io_uring would not be traced.
    const launch: LaunchOrder = { ...order, id, env: { ...env, UV_USE_IO_URING: '0' } }
    this.#tracer.send(launch)
    return started
  }

  /** Kills the processes; the tracer ends after the last of them. */
  kill(): void {
    for (const started of this.#processes) started.signal('SIGKILL')
    if (this.#tracer.connected) this.#tracer.disconnect()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill()
    await this.#ended
  }
}
