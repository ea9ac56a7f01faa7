import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { OutboxId } from '../outbox/outbox-store.ts'
import { readAll } from '../read-all.ts'
import { parsePersonName } from '../text.ts'
import { type ConsentRecord, type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { type EmailAddress, parseEmailAddress } from './email-address.ts'
import { type Feed, type FeedName, noSuchFeed, takesSignUps } from './feed.ts'
import { declaredFields, type FieldValues, readFieldValues, type SubmittedFields } from './feed-fields.ts'
import type { TurnedAwayBy } from './funnel-metrics.ts'
import { asLocale } from './locale.ts'
import { type MailboxHashes, mailboxHashes } from './mailbox-hashes.ts'
import { isExpired, type Subscription, type SubscriptionId } from './subscription.ts'

/** A sign-up form as it came, but for what it is to. */
export interface SignUpForm {
  readonly email: string
  readonly name?: string | undefined
  readonly locale?: string | undefined
  /** The honeypot: people do not see it, so only a machine fills it in. */
  readonly website?: string | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
  /** The signed time that our own page carries. */
  readonly stamp?: string | undefined
  /** Where the form asks to be sent back to: exactly one of the feed's return URLs. */
  readonly returnTo?: string | undefined
  /** What it gives for the fields of the feed, by their names. */
  readonly fields?: SubmittedFields | undefined
  readonly source: ConsentSource
}

/** What a use case that takes sign-ups needs. */
export type SignUpPorts =
  | 'unitOfWork'
  | 'clock'
  | 'randomness'
  | 'transport'
  | 'digests'
  | 'domainNames'
  | 'challenge'
  | 'stamps'
  | 'metrics'
  | 'linkLife'

/** A form that was read and found good. */
export interface SignUp {
  readonly address: EmailAddress
  readonly name: string
  readonly locale: string | undefined
  readonly hashes: MailboxHashes
  readonly source: ConsentSource
}

/** A feed that the form is for, and what the form gives for its fields. */
export interface Target {
  readonly feed: Feed
  readonly fields: FieldValues | undefined
}

/** @throws {InvalidInput} with the problems of every field that has one */
export const readSignUp = (
  { email, name, locale, source }: SignUpForm,
  { digests, domainNames }: Pick<Dependencies, 'digests' | 'domainNames'>,
): SignUp => {
  const fields = readAll({
    address: () => parseEmailAddress(email, domainNames),
    name: () => parsePersonName(name ?? ''),
  })
  return { ...fields, locale: asLocale(locale), hashes: mailboxHashes(digests, fields.address.key), source }
}

/**
 * The feed that a form is for, if it may be.
 * @throws {InvalidInput}
 */
export const signUpFeed = (
  feed: Feed | undefined,
  { returnTo }: Pick<SignUpForm, 'returnTo'>,
  field = 'feed',
): Feed => {
  if (feed === undefined || feed.deletingSince !== undefined) throw noSuchFeed(field)
  if (!takesSignUps(feed))
    throw new InvalidInput([{ field, message: 'This feed takes no new subscriptions. Choose another.' }])
  if (returnTo && !feed.returnUrls.includes(returnTo))
    throw new InvalidInput([{ field: 'return_to', message: "Use exactly one of the feed's return URLs." }])
  return feed
}

/**
 * What a form gives for the fields of a feed.
 * @throws {InvalidInput} with the problems of every field that has one
 */
export const signUpFields = (feed: Feed, { fields = {} }: Pick<SignUpForm, 'fields'>): FieldValues | undefined =>
  feed.fields.length === 0 ? undefined : readFieldValues(declaredFields(feed), fields)

/** The consent record of a request. */
export const requested = ({ source, locale }: SignUp, feed: Feed, at: Instant): ConsentRecord =>
  consentRecord({ deed: 'requested', at, source, language: locale, wording: wordingOf(feed) })

/** Whether a sign-up repeats this one; if not, it begins a new life: the first, or one after an end or an expiry. */
export const goesOn = (subscription: Subscription | undefined, now: Instant): subscription is Subscription =>
  subscription !== undefined && subscription.status !== 'ended' && !isExpired(subscription, now)

/** What became of a sign-up, apart from its ids. */
export interface SignUpOutcome {
  readonly mailPending: boolean
  readonly turnedAwayBy?: TurnedAwayBy
}

/** Once a sign-up is stored. */
export const announceSignUp = ({ metrics }: Pick<Dependencies, 'metrics'>, { turnedAwayBy }: SignUpOutcome): void => {
  metrics.reached('requested')
  if (turnedAwayBy !== undefined) metrics.turnedAway(turnedAwayBy)
}

interface Beginning {
  readonly id: SubscriptionId
  readonly feed: FeedName
  readonly old: Subscription | undefined
  readonly fields: FieldValues | undefined
  readonly episode: string
  readonly expiresAt: Instant
  readonly lastMail: OutboxId
}

/** A first life of a subscription, or a new one after an end: always with a fresh confirmation. */
export const pendingSubscription = (
  { address, name, locale }: SignUp,
  { id, feed, old, fields, episode, expiresAt, lastMail }: Beginning,
  now: Instant,
): Subscription => ({
  id,
  feed,
  email: address.value,
  addressKey: address.key,
  name,
  locale,
  status: 'pending',
  episode,
  createdAt: old?.status === 'ended' ? old.createdAt : now,
  confirmedAt: undefined,
  endedAt: undefined,
  expiresAt,
  lastMail,
  preferencesMail: old?.preferencesMail,
  fields,
})
