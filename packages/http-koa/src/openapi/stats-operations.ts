import * as core from '@rollcall/core'
import type { GuardedOperation, Route } from './operation.ts'
import * as s from './schema.ts'

const date = (description: string): s.Schema => ({ type: 'string', format: 'date', description })

/** The numbers that are kept. */
export const STATS_OPERATIONS = {
  'GET /stats': {
    id: 'getStats',
    summary:
      'How many signed up, confirmed and left, of one feed or of all, and how many subscriptions there are now. The numbers are kept, not counted, and hold no personal data.',
    guarded: core.ShowStatsUseCase,
    query: {
      feed: {
        description: 'Only those of this feed, which must exist; by default all feeds, and forms that named none.',
        schema: s.resourceName,
        example: 'default',
      },
      from: {
        description: 'The first day, UTC; by default the last 30 days, 12 weeks or 12 months are shown.',
        schema: date('At most 3,660 days before the last.'),
        example: '2026-11-01',
      },
      to: { description: 'The last day; by default today.', schema: date('UTC.'), example: '2026-11-28' },
      by: {
        description: 'How long a period is; weeks begin on Monday. There are 400 periods at most.',
        schema: { ...s.oneOf(...core.PERIODS), default: 'day' },
      },
    },
    answers: { 200: 'Stats' },
    conditional: 'read',
  },
} as const satisfies Record<Route, GuardedOperation>
