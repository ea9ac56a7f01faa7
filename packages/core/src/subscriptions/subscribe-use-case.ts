import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { mailCapAllows } from '../outbox/mail-cap.ts'
import type { MailKind, OutboxEntry } from '../outbox/outbox-store.ts'
import { queueMail, takeBack, waitingMail } from '../outbox/pending-mail.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { appendOrCountAfter, type ConsentRecord } from './consent.ts'
import { writeDecoy } from './decoy.ts'
import { asFeedName, DEFAULT_FEED, type FeedName, noteStoredFields } from './feed.ts'
import { type FieldValues, limitFieldValues } from './feed-fields.ts'
import { countTurnedAway } from './funnel-metrics.ts'
import { findSuppression } from './mailbox-hashes.ts'
import {
  announceSignUp,
  goesOn,
  pendingSubscription,
  readSignUp,
  requested,
  type SignUp,
  type SignUpForm,
  type SignUpOutcome,
  type SignUpPorts,
  signUpFeed,
  signUpFields,
  type Target,
} from './sign-up.ts'
import {
  type Subscription,
  type SubscriptionId,
  type SubscriptionIdentity,
  subscriptionIdentity,
} from './subscription.ts'

/** A sign-up form as it came. */
export interface SubscribeCommand extends SignUpForm {
  readonly feed?: string | undefined
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

/** A form for one feed that was read and found good. */
interface FeedSignUp extends SignUp {
  readonly identity: SubscriptionIdentity
}

export class SubscribeUseCase extends UseCase<SignUpPorts> {
  /**
   * Takes a sign-up. When this resolves, the subscription and the mail to be sent are on durable storage; what it
   * resolves with never reveals whether the address was known.
   * @throws {InvalidInput} a field is not valid, or the feed does not exist
   */
  async execute(command: SubscribeCommand): Promise<SubscribeResult> {
    const feedName = command.feed ? asFeedName(command.feed) : DEFAULT_FEED
    this.ports.stamps.check(command.stamp)
    const solved = await this.ports.challenge.verify(command.altcha)
    const form = readSignUp(command, this.ports)
    const identity = subscriptionIdentity(this.ports.digests, feedName ?? DEFAULT_FEED, form.address.key)
    const signUp = { ...form, identity }
    const outcome = await this.ports.unitOfWork.run(async (stores) => {
      const feed = signUpFeed(feedName && (await stores.feeds.find(feedName)), command)
      const fields = signUpFields(feed, command)
      limitFieldValues([fields])
      await this.ports.challenge.spend(stores.spentChallenges, solved)
      if (command.website) return await this.#trapped(stores, signUp)
      if (fields !== undefined) await noteStoredFields(stores, feed, fields)
      return await this.#signUp(stores, signUp, { feed, fields })
    })
    announceSignUp(this.ports, outcome)
    const { email, returnTo } = command
    return { name: signUp.name, email, id: outcome.id, feed: identity.feed, returnTo: returnTo || undefined }
  }

  async #trapped(stores: Stores, { identity }: FeedSignUp): Promise<Outcome> {
    await countTurnedAway(stores, 'honeypot', identity.feed, this.ports.clock.now())
    return { id: (await stores.subscriptions.locate(identity)).id, mailPending: false, turnedAwayBy: 'honeypot' }
  }

  /** Whatever is known of the address, it asks the stores for the same and writes as many rows. */
  async #signUp(stores: Stores, signUp: FeedSignUp, target: Target): Promise<Outcome> {
    const now = this.ports.clock.now()
    const { id, subscription } = await stores.subscriptions.locate(signUp.identity)
    const suppression = await findSuppression(stores.suppressions, signUp.hashes)
    const mailed = { id, lastMail: subscription?.lastMail }
    const [waiting, slots, lastConsent] = await Promise.all([
      waitingMail(stores.outbox, mailed),
      stores.mailCaps.slots(signUp.hashes.mailbox),
      stores.consents.last(id),
    ])
    if (suppression) return await this.#suppressed(stores, id, target, now)
    if (!goesOn(subscription, now))
      return await this.#begin(stores, signUp, target, { id, old: subscription, waiting }, now)
    const mayMail = waiting === undefined && mailCapAllows(slots, now)
    return await this.#again(stores, signUp, target, { current: subscription, mayMail, lastConsent }, now)
  }

  async #suppressed(stores: Stores, id: SubscriptionId, { feed, fields }: Target, now: Instant): Promise<Outcome> {
    const decoy = (like?: FieldValues) => writeDecoy(stores, this.ports.randomness, like)
    const count = countTurnedAway(stores, 'suppressed', feed.name, now)
    await Promise.all([decoy(fields), decoy(), decoy(), count])
    return { id, mailPending: false, turnedAwayBy: 'suppressed' }
  }

  /** A first life, or a new one after an end: always a fresh confirmation. */
  async #begin(
    stores: Stores,
    signUp: FeedSignUp,
    { feed, fields }: Target,
    { id, old, waiting }: Beginning,
    now: Instant,
  ): Promise<Outcome> {
    if (waiting) await takeBack(stores, waiting, id)
    const expiresAt = now + this.ports.linkLife
    const occasion = { kind: 'confirmation', subscriptionId: id, address: signUp.hashes.address, expiresAt } as const
    const lastMail = await queueMail(stores.outbox, this.ports, occasion, now)
    const episode = this.ports.randomness.hex(8)
    const beginning = { id, feed: feed.name, old, fields, episode, expiresAt, lastMail }
    await stores.subscriptions.put(pendingSubscription(signUp, beginning, now))
    await stores.consents.append(id, requested(signUp, feed, now))
    await stores.events.append(subscriptionEvent('subscription.pending', { id, feed: feed.name }, now))
    return { id, mailPending: true }
  }

  /** Known already: nothing relevant changes, and a copy of the mail is sent only as the caps allow. */
  async #again(
    stores: Stores,
    signUp: FeedSignUp,
    { feed, fields }: Target,
    { current, mayMail, lastConsent }: Repetition,
    now: Instant,
  ): Promise<Outcome> {
    const { id } = current
    const pending = current.status === 'pending'
    const kind: MailKind = pending ? 'confirmation' : 'already-subscribed'
    const occasion = { kind, subscriptionId: id, address: signUp.hashes.address, expiresAt: current.expiresAt }
    const decoy = (like?: FieldValues) => writeDecoy(stores, this.ports.randomness, like)
    const [queued] = await Promise.all([
      mayMail ? queueMail(stores.outbox, this.ports, occasion, now) : decoy(),
      // In place of the event; and, where nothing is changed, of the values that the form gives.
      decoy(pending ? undefined : fields),
    ])
    const latest = pending ? { name: signUp.name, locale: signUp.locale, fields } : {}
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

interface Outcome extends SignUpOutcome {
  readonly id: SubscriptionId
}
