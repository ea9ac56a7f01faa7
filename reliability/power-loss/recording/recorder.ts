import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { RecordedProcess } from './recorded-process.ts'

/** Whatever changes a file, and whatever says something to others. */
const CALLS =
  'open,openat,write,writev,pwrite64,pwritev,pwritev2,sendmsg,sendto,fsync,fdatasync,ftruncate,truncate,fallocate,' +
  'rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,lseek,' +
  'copy_file_range,sendfile,splice,io_uring_setup,mmap'
/** Bytes: more than anything that is written at once. */
const LONGEST_WRITE = 16 * 1024 * 1024
const OPTIONS = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', `${LONGEST_WRITE}`, '-e', `trace=${CALLS}`]

/** The command that runs a program under a recorder of its system calls. */
export const traced = (trace: string, program: string, args: readonly string[]): [string, string[]] => [
  'strace',
  [...OPTIONS, '-o', trace, program, ...args],
]

/** What keeps system calls from being recorded here, and what to do about it; undefined where nothing does. */
export const whyNotTraced = (): string | undefined => {
  if (process.platform !== 'linux') return 'System calls are recorded by strace, which is for Linux: run this there.'
  const { error, status, stderr } = spawnSync(...traced('/dev/null', '/bin/true', []), { encoding: 'utf8' })
  if (error) return 'strace is missing, which records system calls: `apt-get install strace`.'
  if (status === 0) return undefined
  return `strace cannot record here (${stderr.trim().split('\n').at(-1)}). It must be 5.3 or newer; a container needs --cap-add=SYS_PTRACE.`
}

/** A program that is to be run by Node, told to the launcher in a line. */
export interface LaunchOrder {
  readonly id: number
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** What the launcher tells of it, each in a line. */
export type LaunchReport = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly out: string }
  | { readonly err: string }
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
)

const LAUNCHER = path.join(import.meta.dirname, 'launcher.ts')

/** Whatever becomes of this process, what it started does not outlive it. */
const recording = new Set<Recorder>()
process.on('exit', () => {
  for (const recorder of recording) recorder.kill()
})

/** Runs processes, and records the system calls of all of them in one trace. */
export class Recorder implements AsyncDisposable {
  readonly #tracer: ChildProcessWithoutNullStreams
  readonly #ended: Promise<unknown>
  readonly #processes: RecordedProcess[] = []

  constructor(trace: string) {
    this.#tracer = spawn(...traced(trace, process.execPath, [LAUNCHER]), { stdio: 'pipe' })
    this.#tracer.stderr.pipe(process.stderr)
    recording.add(this)
    this.#ended = once(this.#tracer, 'close').finally(() => recording.delete(this))
    createInterface({ input: this.#tracer.stdout }).on('line', (line) => {
      const report: LaunchReport = JSON.parse(line)
      this.#processes[report.id]?.take(report)
    })
  }

  start({ env, ...order }: Omit<LaunchOrder, 'id'>): RecordedProcess {
    const started = new RecordedProcess()
    const id = this.#processes.push(started) - 1
    // What goes through io_uring would not be seen.
    const launch: LaunchOrder = { ...order, id, env: { ...env, UV_USE_IO_URING: '0' } }
    this.#tracer.stdin.write(`${JSON.stringify(launch)}\n`)
    return started
  }

  /** What was started; the recorder itself ends when nothing is left to be recorded. */
  kill(): void {
    for (const started of this.#processes) started.signal('SIGKILL')
    this.#tracer.stdin.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill()
    await this.#ended
  }
}
