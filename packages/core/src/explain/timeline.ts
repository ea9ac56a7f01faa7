import type { Deliverability } from '../feedback/deliverability-store.ts'
import type { WaitingFeedbackRecord } from '../feedback/feedback-store.ts'
import type { FeedName } from '../feeds/feed.ts'
import { DAY, type Instant, MINUTE } from '../instant.ts'
import type { AddressMove } from '../moves/move-store.ts'
import { type MailSlot, mailCaps, withoutMail } from '../outbox/mail-cap.ts'
import type { MailKind, OutboxEntry } from '../outbox/outbox-store.ts'
import type { PlannedReminder } from '../reminders/reminder-store.ts'
import type { WaitingRequest } from '../sign-up/waiting-request.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { kindsIn, type StoredSuppression } from '../suppressions/suppression-store.ts'
import type { ClosedFeeds } from './closed-feeds.ts'

/** Something that happened to an address, or that holds until a time. */
export interface TimelineEntry {
  readonly at: Instant
  /** For a person. */
  readonly what: string
  readonly feed: FeedName | undefined
  readonly messageId: string | undefined
  readonly until: Instant | undefined
}

export interface ExplainedSubscription {
  readonly subscription: Subscription
  readonly consents: readonly ConsentRecord[]
  readonly reminder: PlannedReminder | undefined
}

/** A mail to the address that is in the outbox. */
export interface ExplainedMail {
  readonly mail: OutboxEntry
  readonly feed: FeedName | undefined
}

export interface KnownOfAddress {
  readonly suppression: StoredSuppression | undefined
  readonly deliverability: Deliverability | undefined
  /** Feedback that an administrator has not decided on. */
  readonly waiting: readonly WaitingFeedbackRecord[]
  readonly subscriptions: readonly ExplainedSubscription[]
  /** What its owner asked for, and is not carried out yet. */
  readonly requests: readonly WaitingRequest[]
  readonly mails: readonly ExplainedMail[]
  /** A change of this address that was asked for, or can still be undone. */
  readonly move: AddressMove | undefined
  /** The mails of the last week. */
  readonly slots: readonly MailSlot[]
  /** When its owner, who wants no mail, last had the link to the preferences. */
  readonly linkMailedAt: Instant | undefined
  /** Whether forms with its domain are answered, and nothing becomes of them. */
  readonly isBlockedDomain: boolean
  readonly feeds: ClosedFeeds
}

/** A cap that holds mails back, and until when. */
export interface HoldingCap {
  readonly words: string
  /** Since when it does: the mail that was one too many for another. */
  readonly since: Instant
  readonly until: Instant
}

/** In order of time; of what came at the same time, what caused it comes first. */
export const timelineOf = (known: KnownOfAddress, now: Instant): readonly TimelineEntry[] => {
  const { mails } = known
  return [
    ...known.subscriptions.flatMap(({ subscription, consents }) => consentEntries(subscription, consents)),
    ...known.requests.flatMap(requestEntries),
    ...moveEntries(known),
    ...mails.map(owedEntry),
    ...known.subscriptions.flatMap(reminderEntries),
    ...known.slots.map((slot) => sentEntry(slot, known)),
    ...mails.flatMap((one) => stateEntries(one, known, now)),
    ...suppressionEntries(known.suppression),
    ...deliverabilityEntries(known.deliverability),
    ...known.waiting.map(waitingEntry),
  ].sort((a, b) => a.at - b.at)
}

const entry = (at: Instant, what: string, rest: Partial<TimelineEntry> = {}): TimelineEntry => ({
  feed: undefined,
  messageId: undefined,
  until: undefined,
  ...rest,
  at,
  what,
})

const consentEntries = ({ feed }: Subscription, consents: readonly ConsentRecord[]): TimelineEntry[] =>
  consents.map(({ at, deed, via, count }) => {
    const times = count === 1 ? '' : `, ${count} times within ten minutes`
    return entry(at, `${deed} (${via})${times}`, { feed })
  })

const requestEntries = ({ at, asked, parkedAt, error }: WaitingRequest): TimelineEntry[] => {
  const state = parkedAt === undefined ? 'waits to be carried out' : `parked: ${error ?? ''}`
  if (asked.kind !== 'sign-up') return [entry(at, `${ASKED[asked.kind]}, ${state}`)]
  return asked.feeds.map(({ feed }) => entry(at, `requested (${asked.source.via}), ${state}`, { feed }))
}

const ASKED = {
  preferences: 'link to the preferences asked for',
  manage: 'link to the preferences asked for',
  move: 'mail of a move asked for',
  trap: 'form of a machine',
} as const

/** What is to come, unless the owner answers before. */
const reminderEntries = ({ subscription, reminder }: ExplainedSubscription): TimelineEntry[] => {
  const { status, episode, feed } = subscription
  if (reminder === undefined || status !== 'pending' || reminder.episode !== episode) return []
  return [entry(reminder.remindAt, 'a reminder follows, unless it is confirmed before', { feed })]
}

/** The mail to the old address counts against no cap: once it is sent, nothing else is left of it. */
const moveEntries = ({ move, mails }: KnownOfAddress): TimelineEntry[] => {
  if (move === undefined || move.undoneAt !== undefined) return []
  const { requestedAt, movedAt, expiresAt: until } = move
  if (movedAt === undefined) return [entry(requestedAt, 'change of address asked for at the new one', { until })]
  const waits = mails.some(({ mail }) => mail.id === move.mail)
  const moved = entry(movedAt, 'moved to another address, which can be undone', { until })
  return waits ? [moved] : [moved, entry(movedAt, `${KINDS.moved} was queued, and is in the outbox no more`)]
}

/** A Message-ID begins with the subscription that the mail is about. */
const sentEntry = ({ at, messageId, reminder }: MailSlot, { subscriptions, mails }: KnownOfAddress): TimelineEntry => {
  const about = subscriptions.find(({ subscription: { id } }) => messageId.startsWith(`${id.toString(36)}.`))
  const pending = mails.some(({ mail }) => mail.messageId === messageId)
  const name = reminder ? 'reminder' : 'mail'
  const what = pending ? `${name} given to the relay, which has not answered` : `${name} sent`
  return entry(at, what, { feed: about?.subscription.feed, messageId })
}

const KINDS: Readonly<Record<MailKind, string>> = {
  confirmation: 'confirmation mail',
  reminder: 'reminder',
  'already-subscribed': "'already subscribed' mail",
  welcome: 'welcome mail',
  preferences: 'mail with the link to the preferences',
  move: 'mail that asks a new address',
  moved: 'mail that tells the old address of the move',
}

const owedEntry = ({ mail: { kind, messageId, createdAt, expiresAt: until }, feed }: ExplainedMail): TimelineEntry =>
  entry(createdAt, `${KINDS[kind]} ${kind === 'reminder' ? 'queued' : 'owed'}`, { feed, messageId, until })

/** What keeps a mail in the outbox, if anything does. */
const stateEntries = ({ mail, feed }: ExplainedMail, known: KnownOfAddress, now: Instant): readonly TimelineEntry[] => {
  const { messageId, createdAt, notBefore, attempts, lastError, parkedAt } = mail
  const about = { feed, messageId }
  if (parkedAt !== undefined)
    return [entry(parkedAt, lastError === undefined ? 'parked' : `parked: ${lastError}`, about)]
  const cap = heldBy(mail, known, now)
  if (cap !== undefined) {
    const since = Math.max(cap.since, createdAt)
    return [entry(since, `held by the cap of ${cap.words}`, { ...about, until: cap.until })]
  }
  if (attempts === 0 || lastError === undefined) return []
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return [entry(createdAt, `tried ${times}: ${lastError}`, { ...about, until: notBefore })]
}

const suppressionEntries = (suppression: StoredSuppression | undefined): TimelineEntry[] => {
  const { owner, block } = suppression ? kindsIn(suppression) : {}
  return [owner, block].flatMap((one) => (one === undefined ? [] : [entry(one.since, `suppressed: ${one.cause}`)]))
}

const deliverabilityEntries = (deliverability: Deliverability | undefined): TimelineEntry[] => {
  if (deliverability === undefined) return []
  const { state, since, status, expiresAt } = deliverability
  return [entry(since, status === undefined ? state : `${state}: ${status}`, { until: expiresAt })]
}

const waitingEntry = ({ id, kind, caller, since }: WaitingFeedbackRecord): TimelineEntry =>
  entry(since, `${kind} reported by ${caller}, waits for an administrator (feedback ${id})`)

/**
 * The cap that holds this mail back; its own slots, of earlier tries, do not count: see `mayHaveArrived`. The mail that tells of a move is
 * outside the caps, and a reminder that a cap stands in the way of does not wait: it goes away.
 */
export const heldBy = (
  { messageId, kind }: Pick<OutboxEntry, 'messageId' | 'kind'>,
  { slots, deliverability }: Pick<KnownOfAddress, 'slots' | 'deliverability'>,
  now: Instant,
): HoldingCap | undefined =>
  kind === 'moved' || kind === 'reminder'
    ? undefined
    : holdingCap({ slots: withoutMail(slots, messageId), deliverability }, now)

/** Whether an earlier try may have delivered the mail, so that it waits for the caps as if it had. */
export const mayHaveArrived = (
  { messageId, notBefore }: Pick<OutboxEntry, 'messageId' | 'notBefore'>,
  { slots }: Pick<KnownOfAddress, 'slots'>,
  now: Instant,
): boolean => notBefore > now && slots.some((slot) => slot.messageId === messageId)

/** Of several caps, the one that holds for the longest. */
export const holdingCap = (
  { slots, deliverability }: Pick<KnownOfAddress, 'slots' | 'deliverability'>,
  now: Instant,
): HoldingCap | undefined => {
  const times = slots
    .filter(({ reminder }) => !reminder)
    .map(({ at }) => Math.min(at, now))
    .sort((a, b) => b - a)
  const holding = mailCaps(deliverability?.state === 'undeliverable').flatMap(({ most, within }) => {
    const limiting = times[most - 1]
    const since = times[0]
    if (limiting === undefined || since === undefined || limiting + within <= now) return []
    return [
      { words: `${most === 1 ? 'one mail' : `${most} mails`} in ${spanText(within)}`, since, until: limiting + within },
    ]
  })
  return holding.sort((a, b) => b.until - a.until)[0]
}

const spanText = (span: number): string => {
  if (span === DAY) return 'a day'
  return span === 7 * DAY ? 'a week' : `${span / MINUTE} minutes`
}
