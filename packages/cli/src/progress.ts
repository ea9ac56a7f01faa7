import type { OutputStream } from './cli-io.ts'
import type { Session } from './session.ts'

export interface ProgressOptions {
  /** What is going on, such as `Deleting`. */
  readonly doing: string
  /** How many steps there are, where that is known. */
  readonly total: number | undefined
  /** Milliseconds before there is anything to see. */
  readonly delay?: number
  /** Milliseconds between two lines where there is no terminal. */
  readonly pace?: number
}

interface Bar {
  update(value: number): void
  stop(): void
}

/** Shows a person how far a long run has come: a bar on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #stream: OutputStream
  readonly #options: ProgressOptions
  readonly #timer: NodeJS.Timeout
  readonly #begun = performance.now()
  #done = 0
  #stopped = false
  #bar: Bar | undefined

  constructor(stream: OutputStream, options: ProgressOptions) {
    this.#stream = stream
    this.#options = options
    this.#timer = setTimeout(() => void this.#show(), options.delay ?? 1_000)
  }

  advance(): void {
    this.reach(this.#done + 1)
  }

  /** So many are done by now. */
  reach(done: number): void {
    this.#done = done
    this.#bar?.update(done)
  }

  /** Clears the bar away. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#bar?.stop()
  }

  async #show(): Promise<void> {
    // Loaded where it takes long, not with every command: start-up time is felt.
    const [{ default: cliProgress }, { progressLine }] = await Promise.all([
      import('cli-progress'),
      import('./progress-line.ts'),
    ])
    if (this.#stopped) return
    const { doing, total, pace = 10_000 } = this.#options
    const { isTTY = false, columns } = this.#stream
    const width = isTTY ? columns || 80 : undefined
    const bar = new cliProgress.SingleBar({
      stream: this.#stream,
      format: (options) =>
        progressLine({
          ...{ doing, done: this.#done, total, width, seconds: (performance.now() - this.#begun) / 1_000 },
          bar: (part, barsize) => cliProgress.Format.BarFormat(part, { ...options, barsize }),
        }),
      clearOnComplete: true,
      noTTYOutput: true,
      notTTYSchedule: pace,
    })
    bar.start(total ?? 0, this.#done)
    this.#bar = bar
  }
}

/** None where it would stand among documents: in what machines read, or on the terminal that shows the rows anyway. */
export const progressOf = (
  { json, io, stdout, stderr }: Session,
  options: Pick<ProgressOptions, 'doing' | 'total'>,
): Progress | undefined => {
  const among = json && (stdout.width !== undefined || stderr.width === undefined)
  return among ? undefined : new Progress(io.stderr, options)
}
