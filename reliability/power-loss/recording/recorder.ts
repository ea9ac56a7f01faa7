import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { LaunchOrder, LaunchReport } from './launch.ts'
import { RecordedProcess } from './recorded-process.ts'
import { traced } from './tracer.ts'

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
