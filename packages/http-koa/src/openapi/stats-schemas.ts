import { END_CAUSES, PERIODS, SUBSCRIPTION_STATUSES, TURNED_AWAY_BY } from '@rollcall/core'
import * as s from './schema.ts'

const date = (description: string): s.Schema => ({ type: 'string', format: 'date', description })

const counts = (names: readonly string[], description: string): s.Schema => ({
  ...s.record(Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), s.count]))),
  description,
})

export const STATS_SCHEMAS = {
  Stats: s.record({
    feed: { ...s.textOrNull(), description: 'Null if the numbers are of all feeds.' },
    from: date('The first day.'),
    to: date('The last day.'),
    by: s.oneOf(...PERIODS),
    subscriptions: counts(SUBSCRIPTION_STATUSES, 'How many there are now.'),
    periods: s.arrayOf(
      s.record({
        start: date('Its first day of those that were asked for.'),
        requested: { ...s.count, description: 'Sign-ups that began a subscription, or began it again.' },
        mailed: { ...s.count, description: 'Mails that the relay took, but for reminders.' },
        confirmed: s.count,
        ended: counts(END_CAUSES, 'By the cause; an import is no cause.'),
        bounced: { ...s.count, description: 'Mails that came back and said something about the address.' },
        complained: s.count,
        turned_away: counts(
          TURNED_AWAY_BY,
          'Forms that a rule kept without effect, or without a mail. What is refused before it is read is in the metrics alone.',
        ),
        imported: counts(
          ['pending', 'confirmed', 'ended', 'undeliverable'],
          'Rows of files, which are counted nowhere else.',
        ),
      }),
      'Every period, oldest first, also those in which there was nothing.',
    ),
  }),
} as const satisfies Record<string, s.Schema>
