import {
  COUNTED_RULES,
  END_CAUSES,
  PERIODS,
  publishedStats,
  ShowStatsUseCase,
  SUBSCRIPTION_STATUSES,
} from '@rollcall/core'
import { operation, resource } from '../operation/operation.ts'
import { parameter, withDefault } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { result } from './record-of.ts'

type Snake<Name extends string> = Name extends `${infer Head}-${infer Tail}` ? `${Head}_${Snake<Tail>}` : Name

const counts = <Name extends string>(names: readonly Name[], description: string) =>
  s.said(
    s.record(
      Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), w.count])) as {
        readonly [Each in Name as Snake<Each>]: s.Schema<number>
      },
    ),
    description,
  )

const Stats = s.named(
  'Stats',
  s.record({
    feed: w.textOrNull('Null if the numbers are of all feeds.'),
    from: w.date('The first day.'),
    to: w.date('The last day.'),
    by: s.oneOf(PERIODS),
    subscriptions: counts(SUBSCRIPTION_STATUSES, 'How many there are now.'),
    periods: s.arrayOf(
      s.record({
        start: w.date('Its first day of those that were asked for.'),
        requested: s.said(w.count, 'Sign-ups that began a subscription, or began it again.'),
        mailed: s.said(
          w.count,
          'Mails that asked to confirm and that the relay took, in each feed that they named; not reminders.',
        ),
        confirmed: w.count,
        ended: counts(END_CAUSES, 'By the cause; an import is no cause.'),
        bounced: s.said(w.count, 'Mails that came back and said something about the address.'),
        complained: w.count,
        turned_away: counts(
          COUNTED_RULES,
          'Forms that a rule kept without effect, or without a mail. What is refused before it is read is in the metrics alone.',
        ),
        imported: counts([...SUBSCRIPTION_STATUSES, 'undeliverable'], 'Rows of files, which are counted nowhere else.'),
      }),
      'Every period, oldest first, also those in which there was nothing.',
    ),
  }),
)

export const stats = resource('Numbers', [
  operation('GET /stats', {
    id: 'getStats',
    summary:
      'How many signed up, confirmed and left, of one feed or of all, and how many subscriptions there are now. The numbers are kept, not counted, and hold no personal data.',
    guarded: ShowStatsUseCase,
    query: {
      feed: parameter(
        'Only those of this feed, which must exist; by default all feeds, and forms that named none.',
        w.resourceName,
        'default',
      ),
      from: parameter(
        'The first day, UTC; by default the last 30 days, 12 weeks or 12 months are shown.',
        w.date('At most 3,660 days before the last.'),
        '2026-11-01',
      ),
      to: parameter('The last day; by default today.', w.date('UTC.'), '2026-11-28'),
      by: parameter(
        'How long a period is; weeks begin on Monday. There are 400 periods at most.',
        withDefault('day', s.wordOf(PERIODS)),
      ),
    },
    answers: { 200: Stats },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      result(publishedStats(await useCases.showStats.execute(query, caller))),
  }),
])
