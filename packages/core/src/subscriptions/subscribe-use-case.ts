import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { mailCapAllows } from '../outbox/mail-cap.ts'
import { mailboxSlots } from '../outbox/mailbox-slots.ts'
import type { MailKind, OutboxEntry } from '../outbox/outbox-store.ts'
import { queueMail, waitingMail } from '../outbox/pending-mail.ts'
import { readAll } from '../read-all.ts'
import { parsePersonName } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { appendOrCountAfter, type ConsentRecord, type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { writeDecoy } from './decoy.ts'
import { parseEmailAddress } from './email-address.ts'
import { asFeedName, DEFAULT_FEED, type Feed, type FeedName, noSuchFeed, takesSignUps } from './feed.ts'
import type { TurnedAwayBy } from './funnel-metrics.ts'
import { parseLocale } from './locale.ts'
import { findSuppression, mailboxHashes } from './mailbox-hashes.ts'
import { isExpired, type Subscription, type SubscriptionId, subscriptionIdentity } from './subscription.ts'

/** A sign-up form as it came. */
export interface SubscribeCommand {
  readonly email: string
  readonly name?: string | undefined
  readonly feed?: string | undefined
  readonly locale?: string | undefined
  /** The honeypot: people do not see it, so only a machine fills it in. */
  readonly website?: string | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
  /** The signed time that our own page carries. */
  readonly stamp?: string | undefined
  /** Where the form asks to be sent back to: exactly one of the feed's return URLs. */
  readonly returnTo?: string | undefined
  readonly source: ConsentSource
}

/** The answer that every caller gets, whatever was known of the address. */
export interface SubscribeResult {
  readonly name: string
  readonly email: string
  readonly id: SubscriptionId
  readonly feed: FeedName
  /** Where to send a browser back to, if the form asked for it. */
  readonly returnTo: string | undefined
}

/** A form that was read and found good. */
type SignUp = ReturnType<typeof readSignUp>

export class SubscribeUseCase extends UseCase<
  | 'unitOfWork'
  | 'clock'
  | 'randomness'
  | 'transport'
  | 'digests'
  | 'domainNames'
  | 'outboxSignal'
  | 'challenge'
  | 'stamps'
  | 'metrics'
  | 'linkLife'
> {
  /**
   * Takes a sign-up. When this resolves, the subscription and the mail to be sent are on durable storage; what it
   * resolves with never reveals whether the address was known.
   * @throws {InvalidInput} a field is not valid, or the feed does not exist
   */
  async execute(command: SubscribeCommand): Promise<SubscribeResult> {
    const feedName = command.feed ? asFeedName(command.feed) : DEFAULT_FEED
    this.ports.stamps.check(command.stamp)
    const solved = await this.ports.challenge.verify(command.altcha)
    const signUp = readSignUp(command, feedName ?? DEFAULT_FEED, this.ports)
    const { id, mailPending, turnedAwayBy } = await this.ports.unitOfWork.run(async (stores) => {
      const feed = feedOf(feedName && (await stores.feeds.find(feedName)), command)
      await this.ports.challenge.spend(stores.spentChallenges, solved)
      return command.website ? await this.#trapped(stores, signUp) : await this.#signUp(stores, signUp, feed)
    })
    this.ports.metrics.reached('requested')
    if (turnedAwayBy !== undefined) this.ports.metrics.turnedAway(turnedAwayBy)
    if (mailPending) this.ports.outboxSignal.notify()
    const { name, address, identity } = signUp
    return { name, email: address.value, id, feed: identity.feed, returnTo: command.returnTo || undefined }
  }

  async #trapped(stores: Stores, { identity }: SignUp): Promise<Outcome> {
    await stores.signUpCounts.add('honeypot')
    return { id: (await stores.subscriptions.locate(identity)).id, mailPending: false, turnedAwayBy: 'honeypot' }
  }

  /** Whatever is known of the address, it asks the stores for the same and writes as many rows. */
  async #signUp(stores: Stores, signUp: SignUp, feed: Feed): Promise<Outcome> {
    const now = this.ports.clock.now()
    const { id, subscription } = await stores.subscriptions.locate(signUp.identity)
    const suppression = await findSuppression(stores.suppressions, signUp.hashes)
    const mailed = { id, lastMail: subscription?.lastMail }
    const [waiting, { all: slots }, lastConsent] = await Promise.all([
      waitingMail(stores.outbox, mailed),
      mailboxSlots(stores.mailCaps, signUp.hashes),
      stores.consents.last(id),
    ])
    if (suppression) return await this.#suppressed(stores, id)
    const begins = subscription === undefined || subscription.status === 'ended' || isExpired(subscription, now)
    if (begins) return await this.#begin(stores, signUp, feed, { id, old: subscription, waiting }, now)
    const mayMail = waiting === undefined && mailCapAllows(slots, now)
    return await this.#again(stores, signUp, feed, { current: subscription, mayMail, lastConsent }, now)
  }

  async #suppressed(stores: Stores, id: SubscriptionId): Promise<Outcome> {
    const decoy = () => writeDecoy(stores, this.ports.randomness)
    await Promise.all([decoy(), decoy(), decoy(), stores.signUpCounts.add('suppressed')])
    return { id, mailPending: false, turnedAwayBy: 'suppressed' }
  }

  /** A first life, or a new one after an end: always a fresh confirmation. */
  async #begin(
    stores: Stores,
    signUp: SignUp,
    feed: Feed,
    { id, old, waiting }: Beginning,
    now: Instant,
  ): Promise<Outcome> {
    if (waiting) await stores.outbox.remove(waiting.id)
    const { address, identity, name, locale } = signUp
    const expiresAt = now + this.ports.linkLife
    const occasion = { kind: 'confirmation', subscriptionId: id, address: signUp.hashes.address, expiresAt } as const
    const lastMail = await queueMail(stores.outbox, this.ports, occasion, now)
    await stores.subscriptions.put({
      id,
      feed: identity.feed,
      email: address.value,
      addressKey: address.key,
      name,
      locale,
      status: 'pending',
      episode: this.ports.randomness.hex(8),
      createdAt: old?.status === 'ended' ? old.createdAt : now,
      confirmedAt: undefined,
      endedAt: undefined,
      expiresAt,
      lastMail,
      preferencesMail: old?.preferencesMail,
    })
    await stores.consents.append(id, requested(signUp, feed, now))
    await stores.events.append(subscriptionEvent('subscription.pending', { id, feed: identity.feed }, now))
    return { id, mailPending: true }
  }

  /** Known already: nothing relevant changes, and a copy of the mail is sent only as the caps allow. */
  async #again(
    stores: Stores,
    signUp: SignUp,
    feed: Feed,
    { current, mayMail, lastConsent }: Repetition,
    now: Instant,
  ): Promise<Outcome> {
    const { id } = current
    const pending = current.status === 'pending'
    const kind: MailKind = pending ? 'confirmation' : 'already-subscribed'
    const occasion = { kind, subscriptionId: id, address: signUp.hashes.address, expiresAt: current.expiresAt }
    const decoy = () => writeDecoy(stores, this.ports.randomness)
    const [queued] = await Promise.all([
      mayMail ? queueMail(stores.outbox, this.ports, occasion, now) : decoy(),
      // In place of the event.
      decoy(),
    ])
    const latest = pending ? { name: signUp.name, locale: signUp.locale } : {}
    await stores.subscriptions.put({ ...current, ...latest, lastMail: queued ?? current.lastMail })
    await appendOrCountAfter(lastConsent, stores.consents, id, requested(signUp, feed, now))
    return mayMail ? { id, mailPending: true } : { id, mailPending: false, turnedAwayBy: 'mail-cap' }
  }
}

interface Beginning {
  readonly id: SubscriptionId
  readonly old: Subscription | undefined
  readonly waiting: OutboxEntry | undefined
}

interface Repetition {
  readonly current: Subscription
  /** Whether a copy of the mail may be queued. */
  readonly mayMail: boolean
  readonly lastConsent: ConsentRecord | undefined
}

interface Outcome {
  readonly id: SubscriptionId
  readonly mailPending: boolean
  readonly turnedAwayBy?: TurnedAwayBy
}

const readSignUp = (
  { email, name, locale, source }: SubscribeCommand,
  feed: FeedName,
  { digests, domainNames }: Pick<Dependencies, 'digests' | 'domainNames'>,
) => {
  const fields = readAll({
    address: () => parseEmailAddress(email, domainNames),
    name: () => parsePersonName(name ?? ''),
    locale: () => parseLocale(locale),
  })
  const { key } = fields.address
  return { ...fields, hashes: mailboxHashes(digests, key), identity: subscriptionIdentity(digests, feed, key), source }
}

/** The feed that the form is for, if it may be. */
const feedOf = (feed: Feed | undefined, { returnTo }: SubscribeCommand): Feed => {
  if (feed === undefined || feed.deletingSince !== undefined) throw noSuchFeed()
  if (!takesSignUps(feed))
    throw new InvalidInput([{ field: 'feed', message: 'This feed takes no new subscriptions. Choose another.' }])
  if (returnTo && !feed.returnUrls.includes(returnTo))
    throw new InvalidInput([{ field: 'return_to', message: "Use exactly one of the feed's return URLs." }])
  return feed
}

const requested = ({ source, locale }: SignUp, feed: Feed, at: Instant): ConsentRecord =>
  consentRecord({ deed: 'requested', at, source, language: locale, wording: wordingOf(feed) })
