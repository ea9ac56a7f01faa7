import type { StoreName } from '../../proving/shared/report.ts'
import { textTable } from '../../proving/shared/text-table.ts'
import { type Figure, isWithin } from './attack.ts'

/** What one attack on one store has shown. */
export interface AttackReport {
  readonly attack: string
  readonly store: StoreName
  readonly figures: readonly Figure[]
  /** Why it could not be carried out. */
  readonly failure?: string | undefined
}

export const isRepelled = ({ figures, failure }: AttackReport): boolean =>
  failure === undefined && figures.length > 0 && figures.every(isWithin)

const HEAD = ['attack', 'store', 'figure', 'found', 'bound', '']
const NUMBERS = [3, 4]

/** As text: a table, and below it what explains the figures that passed their bounds. */
export const printed = (reports: readonly AttackReport[]): string => {
  const rows = reports.flatMap(({ attack, store, figures, failure }) => [
    ...figures.map((figure) => [
      ...[attack, store, figure.name, amount(figure.figure, figure.unit)],
      ...[figure.bound === undefined ? 'none' : amount(figure.bound, figure.unit), isWithin(figure) ? 'ok' : 'NOT OK'],
    ]),
    ...(failure === undefined ? [] : [[attack, store, 'could not be carried out', '', '', 'NOT OK']]),
  ])
  const table = textTable({ head: HEAD, rows, right: (column) => NUMBERS.includes(column) })
  return [table, ...reports.flatMap(explanations)].join('\n')
}

const explanations = ({ attack, store, figures, failure }: AttackReport): string[] => [
  ...figures
    .filter((figure) => figure.note !== undefined)
    .map(({ name, note }) => `\n${attack}, ${store}, ${name}:\n  ${note}`),
  ...(failure === undefined ? [] : [`\n${attack}, ${store} could not be carried out:\n  ${failure}`]),
]

const amount = (value: number, unit: string): string => {
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) < 10 ? 2 : 1
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`
}
