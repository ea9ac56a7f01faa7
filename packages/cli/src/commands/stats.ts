import type { Stats } from '@rollcall/client'
import type { Session } from '../session.ts'
import { sparkline } from '../sparkline.ts'
import type { Verb } from '../verb.ts'

interface StatsOptions {
  readonly feed?: string
  readonly from?: string
  readonly to?: string
  readonly by?: string
}

/** What the columns show: a name alone, or all whose names begin with it. */
const COLUMNS = [
  'requested',
  'mailed',
  'confirmed',
  'ended',
  'bounced',
  'complained',
  'turned-away',
  'imported',
] as const

type Column = (typeof COLUMNS)[number]

type PeriodNumbers = Stats['periods'][number]

const sumOf = (period: PeriodNumbers, column: Column): number => {
  const numbers = period[column === 'turned-away' ? 'turned_away' : column]
  return typeof numbers === 'number' ? numbers : Object.values(numbers).reduce((sum, count) => sum + count, 0)
}

export const stats: Verb = {
  name: 'stats',
  summary: 'Show how many signed up, confirmed and left, by day, week or month',
  details:
    'The numbers hold no personal data, and stay when subscriptions are erased. Without --feed they are of all feeds, and of forms that named none. Days are those of UTC, weeks begin on Monday. Without --from, the last 30 days, 12 weeks or 12 months. Imports are apart. With --json, ends are told apart by their cause, and what was turned away by the rule.',
  examples: [
    'rollcall stats',
    'rollcall stats --feed news --by month',
    'rollcall stats --from 2026-11-01 --to 2026-11-30 --by week --json',
  ],
  define: (command, session) =>
    command
      .option('--feed <name>', 'only those of this feed')
      .option('--from <date>', 'the first day, such as 2026-11-01')
      .option('--to <date>', 'the last day; today by default')
      .option('--by <period>', 'day (by default), week or month')
      .action(async (options: StatsOptions) => {
        const found = await session.ask('getStats', { ...options })
        if (session.json) await session.printJson(found)
        else await printTables(session, found)
      }),
}

const headOf = (column: Column): string => column.replace('-', ' ').toUpperCase()

const printTables = async ({ stdout, colour }: Session, { feed, subscriptions, periods, by }: Stats): Promise<void> => {
  // Loaded only here: start-up time is felt.
  const { TablePrinter } = await import('../table-printer.ts')
  const { pending, confirmed, ended } = subscriptions
  const whose = feed === null ? 'All feeds' : `Feed ${feed}`
  await stdout.write(`${whose} now: ${confirmed} confirmed, ${pending} pending, ${ended} ended.\n\n`)
  const byPeriod = new TablePrinter<PeriodNumbers>(
    stdout,
    [
      { head: by.toUpperCase(), cell: ({ start }) => start },
      ...COLUMNS.map((column) => ({ head: headOf(column), cell: (period: PeriodNumbers) => sumOf(period, column) })),
    ],
    { colour },
  )
  await byPeriod.print(periods)
  await stdout.write('\n')
  const inOrder = (column: Column) => periods.map((period) => sumOf(period, column))
  const trend =
    stdout.width === undefined ? [] : [{ head: 'TREND', cell: (column: Column) => sparkline(inOrder(column)) }]
  const sums = new TablePrinter<Column>(
    stdout,
    [
      { head: 'WHAT', cell: (column) => headOf(column).toLowerCase() },
      { head: 'TOTAL', cell: (column) => inOrder(column).reduce((sum, count) => sum + count, 0) },
      ...trend,
    ],
    { colour },
  )
  await sums.print(COLUMNS)
}
