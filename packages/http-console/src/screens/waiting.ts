import type { Page, Permission } from '@rollcall/core'
import { countOrMore, link, notice, table, time } from '../parts/parts.ts'
import { may, type Visit } from '../visit.ts'

/** More are not looked at: the page says so. */
const FEW = 50

type Kind = keyof Visit['options']['texts']['start']['waiting']

interface Waiting {
  readonly kind: Kind
  readonly path: string
  /** Undefined if it is not known without a count. */
  readonly count?: number
  readonly hasMore?: boolean
  readonly since: number | undefined
}

/** What waits for a person, for a relay or for a target, each with the time of the oldest. */
export const whatWaits = async (visit: Visit): Promise<readonly Waiting[]> => {
  const { useCases } = visit.options
  const { caller } = visit
  const look = async <T>(
    permission: Permission,
    kind: Kind,
    path: string,
    list: () => Promise<Pick<Page<T>, 'items' | 'next'>>,
    sinceOf: (one: T) => number | undefined,
  ): Promise<readonly Waiting[]> => {
    if (!may(visit, permission)) return []
    const { items, next } = await list()
    const times = items.map(sinceOf).filter((since) => since !== undefined)
    const since = times.length === 0 ? undefined : Math.min(...times)
    return items.length === 0 ? [] : [{ kind, path, count: items.length, hasMore: next !== undefined, since }]
  }
  // Those that are due are found by an index, and how many there are would be a count.
  const due = async (kind: Kind, path: string, queue: { health(): Promise<{ dueSince: number | undefined }> }) => {
    const { dueSince: since } = may(visit, 'outbox:read') ? await queue.health() : { dueSince: undefined }
    return since === undefined ? [] : [{ kind, path, since }]
  }
  const parked = { limit: FEW, parked: true }
  const parkedAt = (one: { readonly parkedAt: number | undefined }) => one.parkedAt
  const { listOutbox, listUndeliveredEvents: listEvents, listFeedback, listRequests } = useCases
  const { outbox, webhookDeliveries } = useCases.readers
  const found = await Promise.all([
    look('outbox:read', 'parkedMails', '/outbox?show=parked', () => listOutbox.execute(parked, caller), parkedAt),
    look(
      'outbox:read',
      'parkedEvents',
      '/outbox/events?show=parked',
      () => listEvents.execute(parked, caller),
      parkedAt,
    ),
    look(
      'feedback:decide',
      'feedback',
      '/feedback',
      () => listFeedback.execute({ limit: FEW }, caller),
      ({ since }) => since,
    ),
    look(
      'webhooks:read',
      'webhooks',
      '/webhooks',
      async () => ({ items: [...(await useCases.listFailingWebhooks.execute({}, caller))], next: undefined }),
      ([, since]) => since,
    ),
    due('mails', '/outbox', outbox),
    due('events', '/outbox/events', webhookDeliveries),
    look(
      'outbox:read',
      'requests',
      '/health',
      () => listRequests.execute({ limit: FEW }, caller),
      ({ at }) => at,
    ),
  ])
  return found.flat()
}

export const waitingTable = (visit: Visit, waiting: readonly Waiting[]) => {
  const { start: texts } = visit.options.texts
  if (waiting.length === 0) return notice('done', texts.nothingWaits)
  return table<Waiting>(
    texts.waits,
    [
      { head: texts.what, cell: ({ kind, path }) => link(path, texts.waiting[kind]) },
      {
        head: texts.howMany,
        isNumber: true,
        cell: ({ count, hasMore }) => count !== undefined && countOrMore(visit, count, hasMore),
      },
      { head: texts.since, cell: ({ since }) => time(since) },
    ],
    waiting,
    texts.nothingWaits,
  )
}
