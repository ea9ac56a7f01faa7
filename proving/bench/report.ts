import { textTable } from '../shared/text-table.ts'
import type { BenchCase } from './cases/bench-case.ts'
import type { Figures, Store } from './setting.ts'

/** The turns of one contender: this release, the release before, or a peer. */
interface Turns {
  readonly name: string
  readonly turns: readonly Figures[]
}

export interface CaseReport {
  readonly benchCase: BenchCase
  readonly store: Store
  /** This release comes first. */
  readonly contenders: readonly Turns[]
}

/** NaN if there are no values. */
const spread = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (place: number): number => sorted[place] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, least: at(0), most: at(sorted.length - 1) }
}

const STORES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const
export const BEFORE = 'before'
/** What is to be left of the rates of the release before: on a shared machine less of a difference means nothing. */
const LEFT = 0.85

const COUNTED = '!'
const isCount = (head: string): boolean => head.startsWith(COUNTED)
const values = ({ turns }: Turns, head: string): number[] =>
  turns.map((turn) => turn[head] ?? Number.NaN).filter((value) => !Number.isNaN(value))
const median = (contender: Turns, head: string): number => spread(values(contender, head)).median

/** How often something was acknowledged and is not there, or is there and was never asked for. */
export const countFaults = ({ contenders }: CaseReport): number =>
  contenders
    .flatMap(({ turns }) => turns)
    .flatMap((turn) => Object.entries(turn).filter(([head]) => isCount(head)))
    // A count that is not known is one.
    .reduce((sum, [, count]) => sum + (Number.isNaN(count) ? 1 : count), 0)

const rounded = (value: number): string => {
  if (Number.isNaN(value)) return ''
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}

const cell = (contender: Turns, head: string): string => {
  if (isCount(head)) {
    const sum = contender.turns.reduce((total, turn) => total + (turn[head] ?? Number.NaN), 0)
    return Number.isNaN(sum) ? '' : `${sum}`
  }
  const { median: middle, least, most } = spread(values(contender, head))
  const range = contender.turns.length > 1 && !Number.isNaN(middle) ? ` (${rounded(least)}-${rounded(most)})` : ''
  return `${rounded(middle)}${range}`
}

interface Judged {
  readonly says: string
  readonly found: number
  readonly reached: boolean
}

const barsOf = ({ benchCase, store, contenders }: CaseReport): Judged[] => {
  const [ours, ...others] = contenders
  if (ours === undefined) return []
  const judged = benchCase.bars.map((says): Judged => {
    const [, figure = '', relation, bar] = /^(.+) (>=|<=) ([\d.]+)$/.exec(says) ?? []
    const found = median(ours, figure)
    return { says, found, reached: relation === '>=' ? found >= Number(bar) : found <= Number(bar) }
  })
  for (const other of others) {
    const { peer } = benchCase
    const isPeer = other.name === peer?.name
    const heads = isPeer ? [peer.figure] : Object.keys(other.turns[0] ?? {}).filter((head) => head.endsWith('/s'))
    for (const figure of heads) {
      const found = median(ours, figure) / median(other, figure)
      const bar = isPeer ? peer.atLeast[store] : LEFT
      judged.push({ says: `${figure} / ${other.name} >= ${bar}`, found, reached: found >= bar })
    }
  }
  // Some figures are of one store only.
  return judged.filter(({ found }) => !Number.isNaN(found))
}

/** Medians with the least and the most, the ratios to the others, and the bars. */
export const printed = (report: CaseReport): string => {
  const { benchCase, store, contenders } = report
  const [ours, ...others] = contenders
  const heads = Object.keys(ours?.turns[0] ?? {})
  const rows = contenders.map((contender) => [contender.name, ...heads.map((head) => cell(contender, head))])
  const ratios = others.map((other) => [
    `/ ${other.name}`,
    ...heads.map((head) => (ours && !isCount(head) ? rounded(median(ours, head) / median(other, head)) : '')),
  ])
  const table = textTable(
    ['', ...heads.map((head) => head.replace(COUNTED, ''))],
    [...rows, ...ratios],
    (column) => column > 0,
  )
  const bars = barsOf(report).map(
    ({ says, found, reached }) => `${reached ? 'reached    ' : 'NOT REACHED'}  ${says}: ${rounded(found)}`,
  )
  return [`## ${benchCase.name} on ${STORES[store]}: ${benchCase.about}`, table, ...bars, ''].join('\n')
}
