import { textTable } from '../proving/shared/text-table.ts'
import type { AttackFigures } from './attacks/measure-attacks.ts'
import type { ConsoleFigures } from './console/measure-console.ts'
import { CONSOLE_COLUMNS, consoleRows } from './console/report-console.ts'
import type { DeletionFigures } from './deletion/measure-deletions.ts'
import type { Environment } from './environment.ts'
import type { ListFigures } from './growth/measure-lists.ts'
import type { MailFigures } from './mails/measure-mails.ts'
import { mailRows } from './mails/report-mails.ts'
import type { Starts } from './measure-starts.ts'
import type { Options } from './options.ts'
import type { ChangeFigures } from './postgres/measure-changes.ts'
import type { PostgresFigures } from './postgres/measure-postgres.ts'
import { CHANGE_COLUMNS, changeRows } from './postgres/report-changes.ts'
import { postgresRows } from './postgres/report-postgres.ts'
import type { RecipientFigures } from './recipients/measure-recipients.ts'
import { RECIPIENT_COLUMNS, recipientRows } from './recipients/report-recipients.ts'
import type { CaseResult } from './results.ts'
import type { Spread } from './statistics.ts'
import type { Target } from './targets.ts'
import type { TracingFigures } from './tracing/measure-tracing.ts'
import { TRACING_COLUMNS, tracingRows } from './tracing/report-tracing.ts'
import type { TransferFigures } from './transfer/measure-transfers.ts'
import { TURNS_COLUMNS, type TurnsFigures, turnsRows } from './turns/measure-turns.ts'

/** Everything that one run found. */
export interface Report {
  readonly environment: Environment
  readonly options: Options
  readonly cases: readonly CaseResult[]
  readonly starts: Starts | undefined
  readonly lists: readonly ListFigures[] | undefined
  readonly transfers: readonly TransferFigures[] | undefined
  readonly deletions: DeletionFigures | undefined
  readonly mails: MailFigures | undefined
  readonly postgres: PostgresFigures | undefined
  readonly changes: readonly ChangeFigures[] | undefined
  readonly attacks: readonly AttackFigures[] | undefined
  readonly recipients: readonly RecipientFigures[] | undefined
  readonly console: readonly ConsoleFigures[] | undefined
  readonly tracing: readonly TracingFigures[] | undefined
  readonly turns: TurnsFigures | undefined
  readonly targets: readonly Target[]
  /** Whether every answer was correct, and nothing was lost. */
  readonly valid: boolean
}

/** As text. */
export const printed = (report: Report): string =>
  [
    heading(report),
    ...casesTable(report),
    ...startsTable(report),
    ...listsTable(report),
    ...transfersTable(report),
    ...deletionsTable(report),
    ...mailsTable(report),
    ...postgresTable(report),
    ...section(report.changes, CHANGE_COLUMNS, (found) => changeRows(found, ranged)),
    ...attacksTable(report),
    ...section(report.recipients, RECIPIENT_COLUMNS, (found) => recipientRows(found, ranged)),
    ...section(report.console, CONSOLE_COLUMNS, (found) => consoleRows(found, grouped)),
    ...section(report.tracing, TRACING_COLUMNS, (found) => tracingRows(found, ranged)),
    ...section(report.turns, TURNS_COLUMNS, (found) => turnsRows(found, ranged)),
    ...deliveries(report),
    ...targetsTable(report),
    ...faults(report),
  ].join('\n\n')

const heading = ({ environment, options }: Report): string => {
  const { date, versions, system, processor, cores } = environment
  const { connections, warmup, seconds, reps, generator, mail } = options
  return [
    `${date}  ${system}, ${processor}; ${cores}`,
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    `${generator}, ${connections} connections, ${warmup} s + ${seconds} s, ${reps} interleaved repetitions, mails to ${mail}: median (least to most)`,
  ].join('\n')
}

const casesTable = ({ cases }: Report): string[] =>
  section(
    cases.length > 0 ? cases : undefined,
    ['case', 'answers/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU denied', 'MB idle', 'MB under load', 'answers'],
    (found) =>
      found.map(({ title, rate, p50, p99, cost, denied, idle, underLoad, answers, faults }) => [
        faults.length > 0 ? `${title}: VOID` : title,
        ranged(rate, 0),
        ranged(p50, 2),
        ranged(p99, 1),
        ranged(cost, 0),
        `${grouped(denied.median * 100, 0)} %`,
        inMegabytes(idle),
        inMegabytes(underLoad),
        grouped(answers, 0),
      ]),
  )

const startsTable = ({ starts }: Report): string[] =>
  section(starts, ['start to ready', 'ms'], ({ nodeHttp, rollcallFirst, rollcallAgain }) => [
    ['bare node:http', ranged(nodeHttp, 0)],
    ['Rollcall, on an empty folder', ranged(rollcallFirst, 0)],
    ['Rollcall, again', ranged(rollcallAgain, 0)],
  ])

const listsTable = ({ lists }: Report): string[] =>
  section(lists, ['list page', 'of', 'p50 ms', 'p99 ms', 'last page, p50 ms'], (found) =>
    found.map(({ filter, rows, p50, p99, lastP50 }) => [
      ...[filter, grouped(rows, 0)],
      ...[p50, p99, lastP50].map((milliseconds) => grouped(milliseconds, 2)),
    ]),
  )

const postgresTable = ({ postgres }: Report): string[] =>
  section(postgres, ['PostgreSQL', ''], (found) => postgresRows(found, ranged))

const transfersTable = ({ transfers }: Report): string[] =>
  section(transfers, ['file of subscriptions', 'rows', 'rows/s', 'CPU µs', 'MB'], (found) =>
    found.map(({ name, rows, rate, cost, resident }) => [
      ...[name, grouped(rows, 0)],
      ...[ranged(rate, 0), ranged(cost, 1), inMegabytes(resident)],
    ]),
  )

const attacksTable = ({ attacks }: Report): string[] =>
  section(attacks, ['hostile token', 'CPU ms', 'bytes'], (found) =>
    found.map(({ name, milliseconds, bytes }) => [name, ranged(milliseconds, 2), ranged(bytes, 0)]),
  )

const deletionsTable = ({ deletions }: Report): string[] =>
  section(deletions, ['rollcall user delete', ''], (found) => [
    [`${grouped(found.users, 0)} users of a list, users/s`, ranged(found.rate, 0)],
    ['the same, MB', inMegabytes(found.resident)],
    ['the same, CPU µs a user', ranged(found.cost, 0)],
    ...lockRows(found),
    ['one user, ms', ranged(found.one, 0)],
    ['bare node -e 0, ms', ranged(found.bareNode, 0)],
  ])

const lockRows = ({ held }: DeletionFigures): string[][] =>
  held === undefined
    ? []
    : [
        ['write lock held, ms: p50, p99, most', [held.p50, held.p99, held.most].map((ms) => grouped(ms, 1)).join(', ')],
        ['for more than 20 ms', `${held.over} of ${grouped(held.count, 0)} times`],
      ]

const mailsTable = ({ mails }: Report): string[] =>
  section(mails, ['mail', 'median (least to most)'], (figures) =>
    mailRows(figures).map(({ name, found, digits }) => [name, ranged(found, digits)]),
  )

const deliveries = ({ cases }: Report): string[] =>
  cases.flatMap(({ delivery }) => {
    if (delivery === undefined) return []
    const { deliveredDuringLoad, delivered, seconds } = delivery
    const rate = grouped((delivered - deliveredDuringLoad) / seconds, 0)
    return [
      `Delivery: ${grouped(delivered, 0)} mails: ${grouped(deliveredDuringLoad, 0)} by the end of the load, ` +
        `the rest in ${grouped(seconds, 1)} s (${rate} a second).`,
    ]
  })

const AT_LEAST = new Set<Target['unit']>(['', 'rows/s', 'mails/s'])

const targetsTable = ({ targets }: Report): string[] =>
  section(targets.length > 0 ? targets : undefined, ['target', 'found', 'least to most', 'limit', ''], (found) =>
    found.map(({ name, value, spread, unit, limit, reached }) => {
      const digits = unit === '' || unit === 'times' ? 2 : 0
      return [
        name,
        `${grouped(value, digits)} ${unit}`.trim(),
        `${grouped(spread.least, digits)} to ${grouped(spread.most, digits)}`,
        `${AT_LEAST.has(unit) ? '>=' : '<'} ${grouped(limit, digits)} ${unit}`.trim(),
        reached ? 'reached' : 'NOT REACHED',
      ]
    }),
  )

const faults = ({ cases }: Report): string[] =>
  cases.flatMap((result) => result.faults.map((fault) => `VOID: ${result.name}, ${fault}`))

/** A table; nothing for what was not measured. */
const section = <Found>(found: Found | undefined, head: string[], rows: (found: Found) => string[][]): string[] => {
  if (found === undefined) return []
  return [textTable({ head, rows: rows(found), right: (column) => column > 0 })]
}

const ranged = ({ median, least, most }: Spread, digits: number): string =>
  `${grouped(median, digits)} (${grouped(least, digits)} to ${grouped(most, digits)})`

const inMegabytes = ({ median, least, most }: Spread): string =>
  ranged({ median: median / 1e6, least: least / 1e6, most: most / 1e6 }, 0)

const grouped = (value: number, digits: number): string =>
  Number.isNaN(value)
    ? '-'
    : value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
