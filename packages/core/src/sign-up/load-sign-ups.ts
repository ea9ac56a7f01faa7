import { type Feed, type FeedName, feedsOf } from '../feeds/feed.ts'
import { asFieldValues, type FieldValues, fitsType } from '../feeds/feed-fields.ts'
import type { Instant } from '../instant.ts'
import { type MailSlot, slotsAt } from '../outbox/mail-cap.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import { isOnItsWay } from '../outbox/pending-mail.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { type SubscriptionId, subscriptionIdentity } from '../subscriptions/subscription-id.ts'
import { type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import type { SignUp, SignUpFacts, WantedFeed } from './decide-sign-up.ts'
import type { Means } from './means.ts'
import type { AskedFeed, SignUpRequest, WaitingRequest } from './waiting-request.ts'

export type WaitingSignUp = WaitingRequest & { readonly asked: SignUpRequest }

/** A sign-up with what is stored about its address before the first of its set is decided. */
export interface LoadedSignUp {
  readonly request: WaitingSignUp
  readonly hashes: MailboxHashes
  readonly signUp: SignUp
  readonly facts: SignUpFacts
}

export interface LoadedSignUps {
  readonly signUps: readonly LoadedSignUp[]
  /** Those that still stand, by their names. */
  readonly feeds: ReadonlyMap<FeedName, Feed>
  /** Mails in the outbox, by the subscription that they are the last mail of. */
  readonly queued: ReadonlyMap<SubscriptionId, OutboxEntry>
}

/** Reads what is stored about the addresses of these sign-ups, set by set. */
export const loadSignUps = async (
  stores: Stores,
  { digests, randomness }: Pick<Means, 'digests' | 'randomness'>,
  requests: readonly WaitingSignUp[],
  now: Instant,
): Promise<LoadedSignUps> => {
  const feeds = await standingFeeds(stores, requests)
  const asked = requests.map((request) => {
    const { addressKey, feeds: named } = request.asked
    const standing = named.filter(({ feed }) => feeds.has(feed))
    return { request, standing, hashes: mailboxHashes(digests, addressKey, request.address) }
  })
  const identities = asked.flatMap(({ request, standing }) =>
    standing.map(({ feed }) => subscriptionIdentity(digests, feed, request.asked.addressKey)),
  )
  const located = await stores.subscriptions.locateMany(identities)
  const subscriptions = new Map<SubscriptionId, Subscription>()
  for (const { id, subscription } of located) if (subscription !== undefined) subscriptions.set(id, subscription)
  const mailboxes = [...new Set(asked.map(({ hashes }) => hashes.mailbox))]
  const [suppressions, slots, lastConsents, queued] = await Promise.all([
    stores.suppressions.findMany(mailboxes),
    slotsAt(stores.mailCaps, mailboxes, now),
    stores.consents.lastOf([...subscriptions.keys()]),
    queuedMails(stores, [...subscriptions.values()]),
  ])
  const ids = located.values()
  const wantedFeed = (one: AskedFeed): WantedFeed => ({
    ...one,
    fields: stillDeclared(feeds.get(one.feed), one.fields),
    id: ids.next().value?.id ?? 0,
    episode: randomness.hex(8),
  })
  const signUps = asked.map(({ request, standing, hashes }): LoadedSignUp => {
    const { kind: _, together, ...form } = request.asked
    const wanted = standing.map(wantedFeed)
    const mailed = [...only(queued, wanted)]
    return {
      request,
      hashes,
      signUp: {
        ...form,
        address: hashes.address,
        at: request.at,
        feeds: wanted,
        group: together ? randomness.hex(8) : undefined,
      },
      facts: {
        suppressed: suppressions.has(hashes.mailbox),
        slots: slots.get(hashes.mailbox) ?? ([] as readonly MailSlot[]),
        subscriptions: only(subscriptions, wanted),
        waiting: idsOf(mailed.filter(([, { parkedAt }]) => parkedAt === undefined)),
        parked: idsOf(mailed.filter(([, { parkedAt }]) => parkedAt !== undefined)),
        rests: mailed.some(([, mail]) => isOnItsWay(mail, now)),
        lastConsents: only(lastConsents, wanted),
      },
    }
  })
  return { signUps, feeds, queued }
}

/** Feeds that are gone, or being deleted, take nothing any more; those that were closed meanwhile keep what they accepted. */
const standingFeeds = async (
  { feeds }: Pick<Stores, 'feeds'>,
  requests: readonly WaitingSignUp[],
): Promise<ReadonlyMap<FeedName, Feed>> => {
  const found = await feedsOf(
    feeds,
    requests.flatMap(({ asked }) => asked.feeds),
  )
  return new Map([...found].filter(([, { deletingSince }]) => deletingSince === undefined))
}

const queuedMails = async (
  { outbox }: Pick<Stores, 'outbox'>,
  subscriptions: readonly Subscription[],
): Promise<ReadonlyMap<SubscriptionId, OutboxEntry>> => {
  const mails = new Map<number, SubscriptionId[]>()
  for (const { id, lastMail } of subscriptions)
    if (lastMail !== undefined) mails.set(lastMail, [...(mails.get(lastMail) ?? []), id])
  const found = new Map<SubscriptionId, OutboxEntry>()
  for (const entry of await outbox.findMany([...mails.keys()]))
    for (const id of mails.get(entry.id) ?? [])
      if (entry.subscriptionId === id || entry.signUpGroup !== undefined) found.set(id, entry)
  return found
}

const idsOf = (some: readonly (readonly [SubscriptionId, OutboxEntry])[]) => new Set(some.map(([id]) => id))

/** Between the form and now, a field may have been removed, and its values with it, or have got another type. */
const stillDeclared = (feed: Feed | undefined, values: FieldValues | undefined): FieldValues | undefined => {
  if (values === undefined) return undefined
  const kept = Object.entries(values).filter(([name, value]) =>
    feed?.fields.some((field) => field.name === name && !field.erasing && fitsType(field, value)),
  )
  return asFieldValues(Object.fromEntries(kept))
}

const only = <Found>(
  all: ReadonlyMap<SubscriptionId, Found>,
  wanted: readonly WantedFeed[],
): ReadonlyMap<SubscriptionId, Found> => {
  const found = new Map<SubscriptionId, Found>()
  for (const { id } of wanted) {
    const one = all.get(id)
    if (one !== undefined) found.set(id, one)
  }
  return found
}
