import type { OutputStream } from './cli-io.ts'
import type { Session } from './session.ts'

export interface ProgressOptions {
  /** What is going on, such as `Deleting`. */
  readonly doing: string
  /** How many steps there are, where that is known. */
  readonly total: number | undefined
  /** Tell how many there are a second, too. */
  readonly rate?: boolean
  /** Milliseconds before there is anything to see. */
  readonly patience?: number
  /** Milliseconds between two lines where there is no terminal. */
  readonly pace?: number
}

interface Bar {
  update(value: number, payload: { readonly rate: number }): void
  stop(): void
}

/** Tells a person how far a long run has come: a bar on a terminal, a line now and then elsewhere. */
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
    this.#timer = setTimeout(() => void this.#show(), options.patience ?? 1_000)
  }

  advance(): void {
    this.reach(this.#done + 1)
  }

  /** So many are done by now. */
  reach(done: number): void {
    this.#done = done
    this.#bar?.update(done, { rate: this.#rate })
  }

  /** Clears the bar away. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#bar?.stop()
  }

  /** Steps a second. */
  get #rate(): number {
    return Math.round(this.#done / ((performance.now() - this.#begun) / 1_000))
  }

  async #show(): Promise<void> {
    // Loaded where it takes long, not with every command: start-up time is felt.
    const { default: cliProgress } = await import('cli-progress')
    if (this.#stopped) return
    const { doing, total, rate = false, pace = 10_000 } = this.#options
    const soFar = `${doing}: {value} so far${rate ? ', {rate} a second' : ''}`
    const bar = new cliProgress.SingleBar({
      stream: this.#stream,
      format: total === undefined ? soFar : `${doing} {bar} {value} of {total}, {eta_formatted} left`,
      clearOnComplete: true,
      noTTYOutput: true,
      notTTYSchedule: pace,
    })
    bar.start(total ?? 0, this.#done, { rate: this.#rate })
    this.#bar = bar
  }
}

/** None where it would stand among documents: in what machines read, or on the terminal that shows the rows anyway. */
export const progressOf = (
  { json, io, stdout, stderr }: Session,
  options: Pick<ProgressOptions, 'doing' | 'total' | 'rate'>,
): Progress | undefined => {
  const among = json && (stdout.width !== undefined || stderr.width === undefined)
  return among ? undefined : new Progress(io.stderr, options)
}
