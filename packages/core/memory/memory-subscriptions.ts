import {
  type AddressHash,
  type ConsentRecord,
  DEFAULT_FEED,
  type Feed,
  type FeedLogo,
  findsTerms,
  type Instant,
  isBlock,
  kindOf,
  kindsIn,
  PREFIX_DIGITS,
  plainFeed,
  type SignUpGroup,
  type SignUpGroupMember,
  type StoredSuppression,
  type Stores,
  SUPPRESSION_CAUSES,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionId,
  type SubscriptionIdentity,
  type SuppressionRecord,
  subscriptionTerms,
} from '../src/index.ts'
import { type Journal, Table } from './journal.ts'
import { memoryReminders } from './memory-reminders.ts'

export const memorySubscriptions = (
  journal: Journal,
  replaced: (before: Subscription | undefined, after: Subscription | undefined) => void,
): Pick<Stores, 'subscriptions' | 'consents' | 'keptMails' | 'feeds' | 'reminders' | 'signUpGroups'> => {
  const subscriptions = new Table<SubscriptionId, Subscription>(journal)
  const displaced = new Table<string, SubscriptionId>(journal)
  const consents = new Table<SubscriptionId, readonly ConsentRecord[]>(journal)
  const keptMails = new Table<SubscriptionId, readonly string[]>(journal)
  const feeds = new Table<string, Feed>(journal)
  const logos = new Table<string, FeedLogo>(journal)
  const groups = new Table<string, GroupRow>(journal)
  const reminders = memoryReminders(journal, (id) => subscriptions.get(id) !== undefined)
  feeds.set(DEFAULT_FEED, plainFeed(DEFAULT_FEED, 0))
  journal.forget()

  const isOf = ({ feed, addressKey }: SubscriptionIdentity, subscription: Subscription): boolean =>
    subscription.feed === feed && subscription.addressKey === addressKey

  // Whose first candidate was another's, by the id that it was given: kept permanently when it is stored.
  const givingWay = new Map<SubscriptionId, string>()

  /** `taken`: by others that are located together. */
  const ownId = (
    identity: SubscriptionIdentity,
    taken: ReadonlyMap<SubscriptionId, SubscriptionIdentity>,
  ): SubscriptionId => {
    const settled = displaced.get(identity.fingerprint)
    if (settled !== undefined) return settled
    for (let counter = 0; ; counter++) {
      const id = identity.candidate(counter)
      const holder = subscriptions.get(id)
      const other = taken.get(id)
      if ((holder && !isOf(identity, holder)) || (other && other.fingerprint !== identity.fingerprint)) continue
      if (counter > 0) givingWay.set(id, identity.fingerprint)
      else givingWay.delete(id)
      return id
    }
  }

  const locate = (identity: SubscriptionIdentity, taken: Parameters<typeof ownId>[1] = new Map()) => {
    const id = ownId(identity, taken)
    const subscription = subscriptions.get(id)
    return { id, subscription: subscription && isOf(identity, subscription) ? subscription : undefined }
  }
  const put = (subscription: Subscription): void => {
    const { id } = subscription
    const displacedOne = subscriptions.get(id) ? undefined : givingWay.get(id)
    replaced(subscriptions.get(id), subscription)
    subscriptions.set(id, subscription)
    if (displacedOne !== undefined) displaced.set(displacedOne, id)
  }
  const list = ({ feed, status, address, words, ...stretch }: SubscriptionFilter) =>
    subscriptions.page(
      stretch,
      (one) =>
        (feed ?? one.feed) === one.feed &&
        (status ?? one.status) === one.status &&
        (address ?? one.address) === one.address &&
        findsTerms(subscriptionTerms(one), words),
    )
  const consentsOf = (id: SubscriptionId) => consents.get(id) ?? []
  const membersOf = (wanted: SignUpGroup) =>
    groups
      .rows()
      .filter(({ group }) => group === wanted)
      .map(({ member }) => member)
  const evidenceOf = (subscription: Subscription) => ({ subscription, consents: consentsOf(subscription.id) })

  return {
    subscriptions: {
      list: async (filter) => list(filter),
      recipients: async (of) => list({ ...of, status: 'confirmed' }),
      listEvidence: async (filter) => {
        const { items, next } = list(filter)
        return { items: items.map(evidenceOf), next }
      },
      find: async (id) => subscriptions.get(id),
      findMany: async (ids) => [...new Set(ids)].flatMap((id) => subscriptions.get(id) ?? []),
      ofAddress: async (address) => subscriptions.rows().filter((one) => one.address === address),
      findEvidence: async (id) => {
        const subscription = subscriptions.get(id)
        return subscription && evidenceOf(subscription)
      },
      locate: async (identity) => locate(identity),
      locateMany: async (identities) => {
        const taken = new Map<SubscriptionId, SubscriptionIdentity>()
        return identities.map((identity) => {
          const located = locate(identity, taken)
          taken.set(located.id, identity)
          return located
        })
      },
      displaced: async () => new Map(displaced.entries()),
      put: async (...all) => all.forEach(put),
      erase: async (id) => {
        replaced(subscriptions.get(id), undefined)
        for (const table of [subscriptions, consents, keptMails]) table.delete(id)
        await reminders.cancel(id)
        groups.prune((row) => row.member.id === id)
      },
      expired: async (now, limit) =>
        subscriptions
          .rows()
          .filter(({ status, expiresAt }) => status === 'pending' && expiresAt !== undefined && expiresAt <= now)
          .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
          .slice(0, limit),
    },
    consents: {
      append: async (id, record) => consents.set(id, [...consentsOf(id), record]),
      lastOf: async (ids) =>
        new Map(
          ids.flatMap((id): [SubscriptionId, ConsentRecord][] => {
            const last = consentsOf(id).at(-1)
            return last === undefined ? [] : [[id, last]]
          }),
        ),
      countRepetition: async (id, times = 1) => {
        const last = consentsOf(id).at(-1)
        if (last) consents.set(id, consentsOf(id).with(-1, { ...last, count: last.count + times }))
      },
      list: async (id) => consentsOf(id),
    },
    keptMails: {
      add: async (id, messageId) => keptMails.set(id, [...new Set([...(keptMails.get(id) ?? []), messageId])]),
      list: async (id) => keptMails.get(id) ?? [],
    },
    signUpGroups: {
      membersOf: async (wanted) =>
        new Map(wanted.map((group) => [group, membersOf(group)] as const).filter(([, members]) => members.length > 0)),
      add: async (group, members, expiresAt) => {
        for (const [n, { id, episode }] of members.entries()) {
          if (!subscriptions.get(id)) throw new RangeError('There is no subscription for this member of a group.')
          groups.set(`${group} ${n}`, { group, member: { id, episode }, expiresAt })
        }
      },
      prune: async (before, limit) => groups.prune(({ expiresAt }) => expiresAt < before, limit),
    },
    reminders,
    feeds: {
      find: async (name) => feeds.get(name),
      list: async (stretch) => feeds.page(stretch),
      put: async (feed) => feeds.set(feed.name, feed),
      remove: async (name) => {
        feeds.delete(name)
        logos.delete(name)
      },
      logo: async (name) => logos.get(name),
      putLogo: async (name, logo) => logos.set(name, logo),
      removeLogo: async (name) => logos.delete(name),
    },
  }
}

interface GroupRow {
  readonly group: SignUpGroup
  readonly member: SignUpGroupMember
  readonly expiresAt: Instant
}

export const memorySignUps = (journal: Journal): Pick<Stores, 'suppressions' | 'spentChallenges'> => {
  const suppressions = new Table<string, SuppressionRecord>(journal)
  const spent = new Table<string, Instant>(journal)
  const found = (address: AddressHash): StoredSuppression | undefined => {
    const one = suppressions.get(address)
    return one && { cause: one.cause, since: one.since, block: one.block }
  }

  return {
    suppressions: {
      findMany: async (addresses) =>
        new Map(
          addresses.flatMap((address): [AddressHash, StoredSuppression][] => {
            const one = found(address)
            return one === undefined ? [] : [[address, one]]
          }),
        ),
      list: async (stretch) => suppressions.page(stretch),
      blockedPrefixes: async () => ({
        prefixes: suppressions
          .rows()
          .filter(({ block }) => block !== undefined)
          .map(({ address }) => address.slice(0, PREFIX_DIGITS))
          .sort()
          .join(''),
        next: undefined,
      }),
      add: async (address, { cause, since }) => {
        const known = suppressions.get(address)
        const kinds = known ? kindsIn(known) : { owner: undefined, block: undefined }
        const one = kinds[kindOf(cause)]
        if (one && SUPPRESSION_CAUSES.indexOf(one.cause) >= SUPPRESSION_CAUSES.indexOf(cause)) return
        const owner = isBlock(cause) ? kinds.owner : { cause, since }
        const block = isBlock(cause) ? { cause, since } : kinds.block
        suppressions.set(address, { address, ...(owner ?? { cause, since }), block })
      },
      remove: async (address) => suppressions.take(address),
    },
    spentChallenges: {
      spend: async (id, expiresAt) => {
        if (spent.get(id) !== undefined) return false
        spent.set(id, expiresAt)
        return true
      },
      prune: async (before, limit) => spent.prune((expiresAt) => expiresAt < before, limit),
    },
  }
}
