import { durationText } from './duration-text.ts'

export interface ProgressState {
  /** What is going on, such as `Deleting`. */
  readonly doing: string
  readonly done: number
  readonly total: number | undefined
  /** Since it began. */
  readonly seconds: number
  /** Columns of the terminal; undefined where it leads elsewhere. */
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
