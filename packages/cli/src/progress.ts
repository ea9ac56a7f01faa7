import type { OutputStream } from './cli-host.ts'
import type { Session } from './session.ts'
import { durationText } from './texts.ts'

interface ProgressOptions {
  /** What is going on, such as `Deleting`. */
  readonly doing: string
  readonly total: number | undefined
  /** Whether a terminal cannot change a line in place; a line now and then is for any. */
  readonly dumb?: boolean | undefined
}

// Milliseconds before there is anything to see, and between two lines if there is no terminal.
const DELAY = 1_000
const PACE = 10_000
// Every 100 ms; between two frames, work that lets no timer run draws by itself.
const FRAME = 100
const OVERDUE = 2 * FRAME
const CLEAR_REST = '\u001b[0K'

/** Shows a person how far a long run has come: in one line on a terminal, in a line now and then elsewhere. */
export class Progress {
  readonly #stream: OutputStream
  readonly #options: ProgressOptions
  readonly #onTerminal: boolean
  readonly #begun = performance.now()
  #timer: NodeJS.Timeout
  #done = 0
  #drawn: { readonly line: string; readonly at: number } | undefined

  constructor(stream: OutputStream, options: ProgressOptions) {
    this.#stream = stream
    this.#options = options
    this.#onTerminal = stream.isTTY === true && !options.dumb
    this.#timer = setTimeout(() => this.#draw(), DELAY)
  }

  advance(): void {
    this.reach(this.#done + 1)
  }

  /** So many are done by now. */
  reach(done: number): void {
    this.#done = done
    if (this.#onTerminal && this.#drawn !== undefined && performance.now() - this.#drawn.at > OVERDUE) this.#draw()
  }

  /** Clears the line away. */
  stop(): void {
    if (this.#drawn !== undefined) {
      this.#draw()
      if (this.#onTerminal) this.#stream.write(`\r${CLEAR_REST}`)
    }
    clearTimeout(this.#timer)
    this.#drawn = undefined
  }

  #draw(): void {
    clearTimeout(this.#timer)
    const { doing, total } = this.#options
    const seconds = (performance.now() - this.#begun) / 1_000
    const width = this.#onTerminal ? (this.#stream.columns || 80) - 1 : undefined
    const line = progressLine({ doing, done: this.#done, total, seconds, width })
    if (!this.#onTerminal) this.#stream.write(`${line}\n`)
    else if (line !== this.#drawn?.line) this.#stream.write(`\r${line}${CLEAR_REST}`)
    this.#drawn = { line, at: performance.now() }
    this.#timer = setTimeout(() => this.#draw(), this.#onTerminal ? FRAME : PACE)
  }
}

/** Undefined if it would stand among documents: in what machines read, or on the terminal that shows the rows anyway. */
export const progressOf = ({ json, io, stdout, stderr }: Session, options: ProgressOptions): Progress | undefined => {
  const among = json && (stdout.width !== undefined || stderr.width === undefined)
  return among ? undefined : new Progress(io.stderr, { ...options, dumb: io.dumb })
}

/** What a long run is at, in words. */
export interface Steps {
  at(step: string): void
  /** It is over, or waits for a person. */
  stop(): void
}

/** Says the step of a run, as soon as the run has taken a second; of work that lets no timer run, when its next step begins. */
export const stepsOf = (session: Pick<Session, 'remark'>): Steps => {
  let begun: number | undefined
  let said: string | undefined
  let timer: NodeJS.Timeout | undefined
  const say = (step: string): void => {
    if (step !== said) void session.remark(`${step} ...`)
    said = step
  }
  return {
    at: (step) => {
      clearTimeout(timer)
      begun ??= performance.now()
      const left = DELAY - (performance.now() - begun)
      if (left > 0) timer = setTimeout(say, left, step)
      else say(step)
    },
    stop: () => {
      clearTimeout(timer)
      begun = undefined
    },
  }
}

interface Reached extends Pick<ProgressOptions, 'doing' | 'total'> {
  readonly done: number
  readonly seconds: number
  /** Characters that there is room for. */
  readonly width?: number | undefined
}

/** How far it has come since it began, how fast, and how long it will take; what does not fit is left out, and never cut. */
export const progressLine = ({ doing, done, total, seconds, width = Number.POSITIVE_INFINITY }: Reached): string => {
  const reached = `${doing}: ${done} ${total === undefined ? 'so far' : `of ${total}`}`
  const rate = `, ${seconds === 0 ? 0 : Math.round(done / seconds)} a second`
  const left =
    total === undefined || done === 0 ? '' : `, ${durationText((seconds / done) * Math.max(total - done, 0))} left`
  const lines = [`${reached}${rate}${left}`, `${reached}${left}`, reached]
  return lines.find(({ length }) => length <= width) ?? ''
}
