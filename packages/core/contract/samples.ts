import {
  type AddressHash,
  type AuditEntry,
  type ConsentRecord,
  type DomainEvent,
  EVENT_TYPES,
  type EventRecord,
  type Feed,
  type FeedField,
  type FeedName,
  NOTHING_ERASED,
  type Page,
  type PendingMail,
  plainFeed,
  type SecretSeed,
  type Stores,
  type Stretch,
  type Subscription,
  type SubscriptionIdentity,
  type Tombstone,
  type User,
  type UserId,
  type Webhook,
  type WebhookName,
} from '../src/index.ts'

/** 2026-01-01T00:00:00.123Z: milliseconds must survive. */
export const THEN = Date.UTC(2026, 0, 1) + 123

/** Visible ASCII, every character of it. */
export const VISIBLE_ASCII = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('')

/** Texts that some store somewhere has changed, cut, or taken for something else. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  ' spaces around ',
  ` ${VISIBLE_ASCII}`,
  "Robert'); DROP TABLE users;--",
  'null',
  '007',
  '1e3',
  '__proto__',
  '%_\\',
  '👩🏽‍🚀 🇨🇭 😀',
  'שלום עולם',
  'مرحبا بالعالم',
  'e\u0301 is not \u00e9',
  'ŝ̴̹ä̸͔l̵̰g̷̺ö̶',
  '\u200b\u200e\u2028\ufeff',
  '\ufffd\uffff\u{10ffff}',
  '字'.repeat(200),
  '😀'.repeat(200),
]

export const userId = (text: string): UserId => text as UserId
export const feedName = (text: string): FeedName => text as FeedName
export const hashOf = (digit: string): AddressHash => digit.repeat(32).slice(0, 32) as AddressHash

export const aUser = (id: string, changes: Partial<User> = {}): User => ({
  id: userId(id),
  email: `${id}@Example.com`,
  emailKey: `${id.toLowerCase()}@example.com`,
  name: '',
  roles: [],
  createdAt: THEN,
  updatedAt: THEN,
  ...changes,
})

export const aFeed = (name: string, changes: Partial<Feed> = {}): Feed => ({
  ...plainFeed(feedName(name), THEN),
  ...changes,
})

export const aField = (name: string, changes: Partial<FeedField> = {}): FeedField => ({
  name,
  type: 'text',
  label: { en: name },
  required: false,
  max: undefined,
  choices: [],
  public: false,
  ...changes,
})

export const aSubscription = (id: number, changes: Partial<Subscription> = {}): Subscription => ({
  id,
  feed: feedName('default'),
  email: `s${id}@Example.com`,
  addressKey: `s${id}@example.com`,
  address: hashOf(id.toString(16)),
  name: '',
  locale: undefined,
  status: 'pending',
  episode: '0123456789abcdef',
  createdAt: THEN,
  confirmedAt: undefined,
  endedAt: undefined,
  expiresAt: THEN + 1_000,
  lastMail: undefined,
  preferencesMail: undefined,
  ...changes,
})

/** What `locate` looks for: the identity of such a subscription, with these ids to choose from. */
export const anIdentity = (
  { feed, addressKey }: Pick<Subscription, 'feed' | 'addressKey'>,
  candidates: readonly [number, ...number[]],
): SubscriptionIdentity => ({
  feed,
  addressKey,
  fingerprint: Array.from(`${feed} ${addressKey}`, (character) => character.charCodeAt(0).toString(16)).join(''),
  candidate: (counter) => candidates[counter] ?? candidates[0] + 1_000 * counter,
})

/** Stores new subscriptions as the port asks for it: under the ids that `locate` gives. */
export const begin = async ({ subscriptions }: Stores, ...all: readonly Subscription[]): Promise<void> => {
  for (const subscription of all) {
    await subscriptions.locate(anIdentity(subscription, [subscription.id]))
    await subscriptions.put(subscription)
  }
}

export const aConsent = (changes: Partial<ConsentRecord> = {}): ConsentRecord => ({
  at: THEN,
  deed: 'requested',
  via: 'form',
  clientAddress: undefined,
  userAgent: undefined,
  wording: 'double-opt-in/1',
  language: undefined,
  count: 1,
  ...changes,
})

/** Due for an hour. */
export const aMail = (messageId: string, changes: Partial<PendingMail> = {}): PendingMail => ({
  kind: 'confirmation',
  subscriptionId: 1,
  address: hashOf('a'),
  messageId,
  createdAt: Date.now() - 3_600_000,
  notBefore: Date.now() - 3_600_000,
  expiresAt: undefined,
  ...changes,
})

export const anAuditEntry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: THEN,
  actor: 'root',
  roleSource: 'token',
  tokenId: undefined,
  channel: 'http',
  requestId: undefined,
  action: 'user.put',
  target: undefined,
  outcome: 'done',
  reason: undefined,
  count: 1,
  rolesHash: undefined,
  ...changes,
})

export const anEvent = (subject: string, changes: Partial<DomainEvent> = {}): DomainEvent => ({
  type: 'subscription.pending',
  subject,
  at: THEN,
  ...changes,
})

export const webhookName = (text: string): WebhookName => text as WebhookName

export const aWebhook = (name: string, changes: Partial<Webhook> = {}): Webhook => ({
  name: webhookName(name),
  url: `https://${name}.example.com/events`,
  types: EVENT_TYPES,
  secret: '00112233445566778899aabbccddeeff' as SecretSeed,
  previousSecrets: [],
  disabled: undefined,
  createdAt: THEN,
  updatedAt: THEN,
  ...changes,
})

/** An event in its place; by default each with its own subject. */
export const anEventAt = (position: number, changes: Partial<EventRecord> = {}): EventRecord => ({
  ...anEvent(`s${position}`),
  position,
  ...changes,
})

/** Of every type, about subjects that some store somewhere has changed, with a feed and without. */
export const EVENT_SAMPLES: readonly EventRecord[] = TEXTS.map((subject, n) => {
  const type = EVENT_TYPES[n % EVENT_TYPES.length] ?? 'user.created'
  const feed = n % 3 === 0 ? undefined : feedName(`feed-${n}`)
  const traceContext = n % 2 === 0 ? undefined : `00-0123456789abcdef0123456789abcdef-0123456789abcdef-01`
  return anEventAt(n + 1, { subject, type, at: THEN - n, feed, traceContext })
})

/** Any: what it says does not matter. */
export const aTombstone: Tombstone = {
  deletedAt: THEN,
  audit: 1,
  erasesAt: undefined,
  erased: NOTHING_ERASED,
  subscriptionsKept: 0,
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** What is listed, stretch by stretch. */
export const stretchesOf = async <Item>(
  list: (stretch: Stretch) => Promise<Page<Item>>,
  limit: number,
): Promise<(readonly Item[])[]> => {
  const stretches: (readonly Item[])[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Item> = await list({ after, limit })
    stretches.push(items)
    after = next
  }
  return stretches
}

/** The values of those that were kept, and the errors of the others. */
export const outcomesOf = async <T>(promises: readonly Promise<T>[]): Promise<{ values: T[]; errors: unknown[] }> => {
  const settled = await Promise.allSettled(promises)
  return {
    values: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    errors: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  }
}

/** What a worker gives back for a person to see to. */
export const toPark = (id: number, error = 'no') => ({ id, notBefore: undefined, attempted: true, error })
