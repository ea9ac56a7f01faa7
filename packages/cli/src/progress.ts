import type { OutputStream } from './cli-host.ts'
import type { Session } from './session.ts'
import { durationText } from './texts.ts'

interface ProgressOptions {
  /** What is going on, such as `Deleting`. */
  readonly doing: string
  readonly total: number | undefined
  /** Whether a terminal can draw a bar in place; a line now and then is for any. */
  readonly dumb?: boolean | undefined
}

// Milliseconds before there is anything to see, and between two lines if there is no terminal.
const DELAY = 1_000
const PACE = 10_000
// Every 100 ms; between two frames, work that lets no timer run draws by itself.
const FRAME = 100
const OVERDUE = 2 * FRAME
// The cursor's place is kept, and a line that is too long for a terminal made narrower is cut instead of wrapped.
const BEGIN = '\u001b7\u001b[?7l'
const LINE_START = '\u001b[1G'
const CLEAR_REST = '\u001b[0K'
const CLEAR_LINE = '\u001b[2K'
const END = `\u001b[?7h\u001b8${LINE_START}${CLEAR_LINE}`

/** Shows a person how far a long run has come: a bar on a terminal, a line now and then elsewhere. */
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
    this.#timer = setTimeout(() => this.#begin(), DELAY)
  }

  advance(): void {
    this.reach(this.#done + 1)
  }

  /** So many are done by now. */
  reach(done: number): void {
    this.#done = done
    if (this.#onTerminal && this.#drawn !== undefined && performance.now() - this.#drawn.at > OVERDUE) this.#draw()
  }

  /** Clears the bar away. */
  stop(): void {
    if (this.#drawn !== undefined) {
      this.#draw()
      if (this.#onTerminal) this.#stream.write(END)
    }
    clearTimeout(this.#timer)
    this.#drawn = undefined
  }

  #begin(): void {
    if (this.#onTerminal) this.#stream.write(BEGIN)
    this.#draw()
  }

  #draw(): void {
    clearTimeout(this.#timer)
    const { doing, total } = this.#options
    const width = this.#onTerminal ? this.#stream.columns || 80 : undefined
    const seconds = (performance.now() - this.#begun) / 1_000
    const line = progressLine({ doing, done: this.#done, total, width, seconds })
    if (!this.#onTerminal) this.#stream.write(`${line}\n`)
    else if (line !== this.#drawn?.line) this.#stream.write(`${LINE_START}${line}${CLEAR_REST}`)
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

interface ProgressState extends ProgressOptions {
  readonly done: number
  /** Since it began. */
  readonly seconds: number
  /** Columns of the terminal; undefined if it leads elsewhere. */
  readonly width: number | undefined
}

const NARROWEST_BAR = 6
const WIDEST_BAR = 40

/** How far it has come, as much of it as fits into one line. */
export const progressLine = (state: ProgressState): string => {
  const { width = Number.POSITIVE_INFINITY } = state
  const lines = state.total === undefined ? endless(state) : towards(state, state.total)
  return lines.find((line) => line.length <= width) ?? lines.at(-1) ?? ''
}

const endless = ({ doing, done, seconds }: ProgressState): string[] => {
  const soFar = `${doing}: ${done} so far`
  return [`${soFar}, ${rateOf(done, seconds)} a second`, soFar]
}

/** From the most detailed to the shortest. */
const towards = ({ doing, done, seconds, width }: ProgressState, total: number): string[] => {
  const count = `${done} of ${total}`
  const left = done === 0 ? '' : `, ${durationText((seconds / done) * Math.max(total - done, 0))} left`
  const full = `${count}, ${rateOf(done, seconds)} a second${left}`
  const room = width === undefined ? 0 : Math.min(width - doing.length - full.length - 2, WIDEST_BAR)
  const withBar = room < NARROWEST_BAR ? [] : [`${doing} ${bar(done / total, room)} ${full}`]
  return [...withBar, `${doing} ${full}`, `${doing} ${count}${left}`, `${count}${left}`, count]
}

/** A bar of so many columns, filled for that part; of nothing at all, no part is done. */
const bar = (part: number, columns: number): string =>
  '='.repeat(Math.round((Math.min(part, 1) || 0) * columns)).padEnd(columns, '-')

const rateOf = (done: number, seconds: number): number => (seconds === 0 ? 0 : Math.round(done / seconds))
