import type { Instant } from '../instant.ts'
import { type MailSlot, mailCapAllows } from '../outbox/mail-cap.ts'
import type { MailKind } from '../outbox/outbox-store.ts'
import { type ConsentRecord, consentRecord, isRepetition } from '../subscriptions/consent.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { asPending, isExpired, type Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { TurnedAwayBy } from './funnel-metrics.ts'
import type { SignUpGroup, SignUpGroupMember } from './sign-up-group-store.ts'
import type { AskedFeed, SignUpRequest } from './waiting-request.ts'

/** What a form asks for one feed, with the id of its subscription and an episode that is drawn in case it begins. */
export interface WantedFeed extends AskedFeed {
  readonly id: SubscriptionId
  readonly episode: string
}

export interface SignUp extends Omit<SignUpRequest, 'kind' | 'feeds' | 'together'> {
  /** The hash of `addressKey`. */
  readonly address: AddressHash
  /** When the form came. */
  readonly at: Instant
  readonly feeds: readonly WantedFeed[]
  /** Drawn if one mail is about several feeds. */
  readonly group: SignUpGroup | undefined
}

/** What is stored about the address. */
export interface SignUpFacts {
  readonly suppressed: boolean
  /** Of its mailbox, over all feeds. */
  readonly slots: readonly MailSlot[]
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>
  /** The subscriptions whose last mail has not gone out yet. */
  readonly waiting: ReadonlySet<SubscriptionId>
  /** Those whose last mail was given up: it waits for an operator, and its reader for the next. */
  readonly parked: ReadonlySet<SubscriptionId>
  /** Whether one of these mails needs no copy yet: it waits, or the relay has refused it just now. */
  readonly rests: boolean
  readonly lastConsents: ReadonlyMap<SubscriptionId, Pick<ConsentRecord, 'deed' | 'at'>>
}

export interface SignUpMail {
  readonly kind: MailKind
  /** The one that it is filed under. */
  readonly subscriptionId: SubscriptionId
  readonly expiresAt: Instant | undefined
  readonly signUpGroup: SignUpGroup | undefined
}

export interface SignUpChanges {
  readonly turnedAwayBy?: TurnedAwayBy | undefined
  readonly mail?: SignUpMail | undefined
  /** Their `lastMail` is still the one before. */
  readonly subscriptions: readonly Subscription[]
  /** Those whose last mail is `mail`. */
  readonly mailed: readonly SubscriptionId[]
  /** Those that get another mail, or begin anew, although one is in the outbox: that is taken back. */
  readonly outdated: readonly SubscriptionId[]
  /** Those that begin: a first life, or one after an end. */
  readonly began: readonly Subscription[]
  readonly consents: readonly {
    readonly id: SubscriptionId
    readonly record: ConsentRecord
    /** It only raises the count of the last one. */
    readonly repeats: boolean
  }[]
  /** Of the group of the mail. */
  readonly members: readonly SignUpGroupMember[]
}

const NOTHING: SignUpChanges = { subscriptions: [], mailed: [], outdated: [], began: [], consents: [], members: [] }

/** A feed of the form, and what there is of it. `new`: also after an end, or if its links have expired. */
type Wanted = WantedFeed & { readonly isWaiting: boolean; readonly isParked: boolean } & (
    | { readonly state: 'new'; readonly known: Subscription | undefined }
    | { readonly state: 'pending' | 'confirmed'; readonly known: Subscription }
  )

/**
 * Decides what becomes of a sign-up.
 *
 * - An address that is suppressed gets nothing.
 * - A subscription that is new, has ended or has expired begins: it is pending, and a confirmation mail is owed, even if it
 *   must wait for the caps.
 * - One that is pending takes name, locale and fields of the latest form and keeps its link. One that is confirmed stays as
 *   it is. Either gets a copy of its mail only if none waits and the caps allow it now; one that was given up does not count.
 * - One mail is about all feeds of the form: a confirmation if there is anything to confirm.
 */
export const decideSignUp = (facts: SignUpFacts, signUp: SignUp, now: Instant, linkLife: number): SignUpChanges => {
  if (facts.suppressed) return { ...NOTHING, turnedAwayBy: 'suppressed' }
  const wanted = signUp.feeds.map((feed) => wantedOf(feed, facts, now))
  if (wanted.length === 0) return { ...NOTHING, turnedAwayBy: 'feed-gone' }
  const { isOwed, linksExpireAt, ...mail } = mailAbout(wanted, now + linkLife)
  const isMailed =
    isOwed || (mailCapAllows(facts.slots, now) && !facts.rests && wanted.every(({ isWaiting }) => !isWaiting))
  const subscriptions = wanted.map((one) => subscriptionOf(one, signUp, { linksExpireAt, isMailed }, now))
  const isNew = ({ state }: Wanted): boolean => state === 'new'
  // A mail of its own that still waits stays the one that is owed.
  const getsMail = ({ state, isWaiting }: Wanted): boolean =>
    state === 'new' || (!isWaiting && (state === 'pending' || mail.kind === 'already-subscribed'))
  const isOutdated = (one: Wanted): boolean =>
    isNew(one) ? one.isWaiting || one.isParked : isMailed && one.isParked && getsMail(one)
  const idsOf = (some: readonly Wanted[]): SubscriptionId[] => some.map(({ id }) => id)
  return {
    ...(isMailed ? { mail: { ...mail, signUpGroup: signUp.group } } : { turnedAwayBy: 'mail-cap' }),
    subscriptions,
    mailed: isMailed ? idsOf(wanted.filter(getsMail)) : [],
    outdated: idsOf(wanted.filter(isOutdated)),
    began: subscriptions.filter((_, n) => wanted[n]?.state === 'new'),
    consents: wanted.map((one) => consentOf(one, signUp, facts)),
    members: isMailed && signUp.group !== undefined ? wanted.map(memberOf) : [],
  }
}

const wantedOf = (feed: WantedFeed, facts: SignUpFacts, now: Instant): Wanted => {
  const known = facts.subscriptions.get(feed.id)
  const isWaiting = facts.waiting.has(feed.id)
  const mail = { isWaiting, isParked: !isWaiting && facts.parked.has(feed.id) }
  if (known === undefined || known.status === 'ended' || isExpired(known, now))
    return { ...feed, ...mail, known, state: 'new' }
  return { ...feed, ...mail, known, state: known.status }
}

const mailAbout = (wanted: readonly Wanted[], inALinkLife: Instant) => {
  const begun = wanted.find(({ state }) => state === 'new')
  const expiryOf = ({ known }: Wanted): Instant => known?.expiresAt ?? 0
  const [last] = wanted.filter(({ state }) => state === 'pending').sort((a, b) => expiryOf(b) - expiryOf(a))
  const confirmation = (one: Wanted, expiresAt: Instant) =>
    ({ kind: 'confirmation', subscriptionId: one.id, expiresAt, linksExpireAt: expiresAt }) as const
  if (begun !== undefined) return { ...confirmation(begun, inALinkLife), isOwed: true }
  if (last !== undefined) return { ...confirmation(last, expiryOf(last) || inALinkLife), isOwed: false }
  const subscriptionId = wanted[0]?.id ?? 0
  const kind = 'already-subscribed' as const
  return { kind, subscriptionId, expiresAt: undefined, linksExpireAt: inALinkLife, isOwed: false }
}

const subscriptionOf = (
  wanted: Wanted,
  signUp: SignUp,
  { linksExpireAt, isMailed }: { readonly linksExpireAt: Instant; readonly isMailed: boolean },
  now: Instant,
): Subscription => {
  const { email, addressKey, address, name, locale } = signUp
  const { fields } = wanted
  if (wanted.state === 'confirmed') return wanted.known
  if (wanted.state === 'pending') {
    const { known } = wanted
    // A mail about several feeds says how long all of them can be confirmed.
    const expiresAt = isMailed ? Math.max(known.expiresAt ?? 0, linksExpireAt) : known.expiresAt
    return { ...known, name, locale, fields, expiresAt }
  }
  const { id, feed, episode, known } = wanted
  const createdAt = known?.status === 'ended' ? known.createdAt : now
  const mails = { lastMail: known?.lastMail, preferencesMail: known?.preferencesMail }
  return asPending(
    { id, feed, email, addressKey, address, name, locale, episode, fields, createdAt, ...mails },
    linksExpireAt,
  )
}

const consentOf = ({ id, wording, state }: Wanted, { source, locale, at }: SignUp, { lastConsents }: SignUpFacts) => {
  const record = consentRecord({ deed: 'requested', at, source, language: locale, wording })
  return { id, record, repeats: state !== 'new' && isRepetition(lastConsents.get(id), record) }
}

const memberOf = ({ id, state, known, episode }: Wanted): SignUpGroupMember => {
  if (state === 'confirmed') return { id, episode: undefined }
  return { id, episode: state === 'new' ? episode : known.episode }
}

/** The facts once the changes are made, for the next sign-up of the address. */
export const factsAfter = (facts: SignUpFacts, changes: SignUpChanges): SignUpFacts => {
  const appended = changes.consents.filter(({ repeats }) => !repeats)
  return {
    ...facts,
    subscriptions: new Map([...facts.subscriptions, ...changes.subscriptions.map((one) => [one.id, one] as const)]),
    waiting: new Set([...facts.waiting, ...changes.mailed]),
    lastConsents: new Map([...facts.lastConsents, ...appended.map(({ id, record }) => [id, record] as const)]),
  }
}
