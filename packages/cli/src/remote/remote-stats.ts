import { type Counted, type Period, parseDay, parseFeedName } from '@rollcall/core'
import * as v from 'valibot'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { optional, parsed, text, wholeNumber } from './schema-parts.ts'

const day = parsed((date) => parseDay(date, 'date') ?? 0)
const group = v.record(v.string(), wholeNumber)

const flat = (kind: string, numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(numbers).map(([name, count]) => [`${kind}:${name.replaceAll('_', '-')}`, count]))

const period = v.pipe(
  v.looseObject({
    ...{ start: day, requested: wholeNumber, mailed: wholeNumber, confirmed: wholeNumber },
    ...{ bounced: wholeNumber, complained: wholeNumber, ended: group, turned_away: group, imported: group },
  }),
  v.transform(({ start, requested, mailed, confirmed, bounced, complained, ended, turned_away, imported }) => ({
    start,
    counts: {
      ...{ requested, mailed, confirmed, bounced, complained },
      ...{ ...flat('ended', ended), ...flat('turned-away', turned_away), ...flat('imported', imported) },
    } as Record<Counted, number>,
  })),
)

const stats = v.pipe(
  v.object({
    ...{ feed: optional(parsed(parseFeedName)), from: day, to: day, by: text<Period>() },
    subscriptions: v.object({ pending: wholeNumber, confirmed: wholeNumber, ended: wholeNumber }),
    periods: v.array(period),
  }),
  v.transform(({ subscriptions: current, ...rest }) => ({ ...rest, current })),
)

/** The numbers that are kept, over HTTP. */
export const remoteStats = (server: RemoteServer) =>
  ({
    showStats: ({ feed, from, to, by }) => server.get('getStats', { feed, from, to, by }, stats),
  }) satisfies Partial<RemoteUseCases>
