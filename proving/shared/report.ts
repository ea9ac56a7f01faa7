import { inspect } from 'node:util'
import { type Finding, INVARIANTS } from './finding.ts'
import { textTable } from './text-table.ts'

/** What was found of one promise, and what is allowed. */
export interface Row {
  readonly figure: string
  readonly found: number
  /** Undefined if nothing is promised, so that it is only shown. */
  readonly bound: number | undefined
  readonly unit?: string
  /** What explains it, such as the worst case. */
  readonly note?: string | undefined
}

/** All rows of one attack, run or scenario. */
export interface Report {
  readonly name: string
  readonly store: string
  readonly rows: readonly Row[]
  /** Why it could not be carried out, so that it proves nothing. */
  readonly failure?: string | undefined
}

export const isWithin = ({ found, bound }: Row): boolean => bound === undefined || found <= bound

/** How many of so many variants got through, and which. */
export const counted = (figure: string, variants: number, through: readonly string[]): Row => ({
  figure: `${figure} (${variants} variants)`,
  found: through.length,
  bound: 0,
  note: through.length > 0 ? through.slice(0, 20).join(', ') : undefined,
})

/** Figures without a bound. */
export const shown = (figures: Readonly<Record<string, number>>): Row[] =>
  Object.entries(figures).map(([figure, found]) => ({ figure, found, bound: undefined }))

const MOST_FINDINGS = 20

/** Promises that were broken, and the command that shows it again. */
export const broken = (findings: readonly Finding[], again?: string): Row => {
  const invariants = [...new Set(findings.map(({ invariant }) => invariant))]
  const lines = [
    ...invariants.map((invariant) => `${invariant}: ${INVARIANTS[invariant]}`),
    ...findings
      .slice(0, MOST_FINDINGS)
      .map(({ invariant, message, kill }) => `${invariant} after kill ${kill}: ${message}`),
    ...(again === undefined ? [] : [`To repeat it: ${again}`]),
  ]
  const note = findings.length === 0 ? undefined : lines.join('\n  ')
  return { figure: 'broken promises', found: findings.length, bound: 0, note }
}

/** Carries it out; what goes wrong with that is in the report, as others may still show something. */
export const reported = async (name: string, store: string, work: () => Promise<readonly Row[]>): Promise<Report> => {
  try {
    return { name, store, rows: await work() }
  } catch (error) {
    return { name, store, rows: [], failure: inspect(error) }
  }
}

export const isGood = ({ rows, failure }: Report): boolean =>
  failure === undefined && rows.length > 0 && rows.every(isWithin)

const HEAD = ['name', 'store', 'figure', 'found', 'bound', '']
const NUMBERS = [3, 4]

/** As text: a table, and below it what explains the rows. */
export const printed = (reports: readonly Report[]): string => {
  const rows = reports.flatMap(({ name, store, rows, failure }) => [
    ...rows.map((row) => [
      ...[name, store, row.figure, amount(row.found, row.unit)],
      ...[row.bound === undefined ? 'none' : amount(row.bound, row.unit), isWithin(row) ? 'ok' : 'NOT OK'],
    ]),
    ...(failure === undefined ? [] : [[name, store, 'could not be carried out', '', '', 'NOT OK']]),
  ])
  const notes = reports.flatMap(({ name, store, rows, failure }) => [
    ...rows
      .filter(({ note }) => note !== undefined)
      .map(({ figure, note }) => `\n${name}, ${store}, ${figure}:\n  ${note}`),
    ...(failure === undefined ? [] : [`\n${name}, ${store} could not be carried out:\n  ${failure}`]),
  ])
  return [textTable(HEAD, rows, (column) => NUMBERS.includes(column)), ...notes].join('\n')
}

const amount = (value: number, unit = ''): string => {
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`
}
