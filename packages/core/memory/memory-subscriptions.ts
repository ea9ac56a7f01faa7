import type {
  ConsentRecord,
  ConsentStore,
  KeptMailStore,
  Subscription,
  SubscriptionFilter,
  SubscriptionId,
  SubscriptionIdentity,
  SubscriptionStore,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { pageOf } from './page-of.ts'

export interface MemorySubscriptions {
  readonly subscriptions: SubscriptionStore
  readonly consents: ConsentStore
  readonly keptMails: KeptMailStore
}

export const memorySubscriptions = (journal: Journal): MemorySubscriptions => {
  const subscriptions = new Table<SubscriptionId, Subscription>(journal)
  const displaced = new Table<string, SubscriptionId>(journal)
  const consents = new Table<SubscriptionId, readonly ConsentRecord[]>(journal)
  const keptMails = new Table<SubscriptionId, readonly string[]>(journal)

  const isOf = ({ feed, addressKey }: SubscriptionIdentity, subscription: Subscription): boolean =>
    subscription.feed === feed && subscription.addressKey === addressKey

  // Whose first candidate was another's, by the id that it was given: kept permanently when it is stored.
  const givingWay = new Map<SubscriptionId, string>()

  const ownId = (identity: SubscriptionIdentity): SubscriptionId => {
    const settled = displaced.get(identity.fingerprint)
    if (settled !== undefined) return settled
    for (let counter = 0; ; counter++) {
      const id = identity.candidate(counter)
      const holder = subscriptions.get(id)
      if (holder && !isOf(identity, holder)) continue
      if (counter > 0) givingWay.set(id, identity.fingerprint)
      else givingWay.delete(id)
      return id
    }
  }

  const list = ({ feed, status, ...stretch }: SubscriptionFilter) =>
    pageOf(
      subscriptions,
      stretch,
      (one) => (feed === undefined || one.feed === feed) && (status === undefined || one.status === status),
    )

  return {
    subscriptions: {
      list: async (filter) => list(filter),
      listEvidence: async (filter) => {
        const { items, next } = list(filter)
        return { items: items.map((one) => ({ subscription: one, consents: consents.get(one.id) ?? [] })), next }
      },
      find: async (id) => subscriptions.get(id),
      findEvidence: async (id) => {
        const subscription = subscriptions.get(id)
        return subscription && { subscription, consents: consents.get(id) ?? [] }
      },
      locate: async (identity) => {
        const id = ownId(identity)
        const subscription = subscriptions.get(id)
        return { id, subscription: subscription && isOf(identity, subscription) ? subscription : undefined }
      },
      put: async (subscription) => {
        const { id } = subscription
        const displacedOne = subscriptions.get(id) ? undefined : givingWay.get(id)
        subscriptions.set(id, subscription)
        if (displacedOne !== undefined) displaced.set(displacedOne, id)
      },
      erase: async (id) => {
        subscriptions.delete(id)
        consents.delete(id)
        keptMails.delete(id)
      },
      expired: async (now, limit) =>
        subscriptions
          .rows()
          .filter(({ status, expiresAt }) => status === 'pending' && expiresAt !== undefined && expiresAt <= now)
          .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
          .slice(0, limit),
    },
    consents: {
      append: async (id, record) => consents.set(id, [...(consents.get(id) ?? []), record]),
      last: async (id) => consents.get(id)?.at(-1),
      countRepetition: async (id) => {
        const records = consents.get(id) ?? []
        const last = records.at(-1)
        if (last) consents.set(id, [...records.slice(0, -1), { ...last, count: last.count + 1 }])
      },
      list: async (id) => consents.get(id) ?? [],
    },
    keptMails: {
      add: async (id, messageId) => keptMails.set(id, [...new Set([...(keptMails.get(id) ?? []), messageId])]),
      list: async (id) => keptMails.get(id) ?? [],
    },
  }
}
