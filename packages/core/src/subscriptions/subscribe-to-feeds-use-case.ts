import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { mailCapAllows } from '../outbox/mail-cap.ts'
import type { MailKind, OutboxEntry, OutboxId } from '../outbox/outbox-store.ts'
import { queueMail, takeBack, waitingMail } from '../outbox/pending-mail.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { appendOrCountAfter, type ConsentRecord } from './consent.ts'
import { writeDecoy } from './decoy.ts'
import { type FeedName, noteStoredFields } from './feed.ts'
import type { FieldValues } from './feed-fields.ts'
import { readFeedNames, targetsOf } from './feeds-of-form.ts'
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
  type Target,
} from './sign-up.ts'
import type { SignUpGroupMember } from './sign-up-group.ts'
import type { SubscribeResult } from './subscribe-use-case.ts'
import { type Subscription, type SubscriptionId, subscriptionIdentity } from './subscription.ts'

/** A form that asks for several feeds. */
export interface SubscribeToFeedsCommand extends SignUpForm {
  /** 1 to 20; one that is named twice counts once. */
  readonly feeds: readonly string[]
  /** Must not be given beside them. */
  readonly feed?: string | undefined
}

/** The answer that every caller gets, whatever was known of the address. */
export interface SubscribeToFeedsResult extends Pick<SubscribeResult, 'returnTo'> {
  /** In the order in which the feeds were given. */
  readonly subscriptions: readonly Omit<SubscribeResult, 'returnTo'>[]
}

/**
 * Takes a sign-up to several feeds: one unit of work, and one mail, whose links are good for all of them. For each feed it
 * does what a sign-up to that feed does, and writes as many rows, whatever is known of the address.
 */
export class SubscribeToFeedsUseCase extends UseCase<SignUpPorts> {
  /** @throws {InvalidInput} a field is not valid, or one of the feeds does not exist or takes no sign-ups: all or nothing */
  async execute(command: SubscribeToFeedsCommand): Promise<SubscribeToFeedsResult> {
    const names = readFeedNames(command.feed, command.feeds)
    this.ports.stamps.check(command.stamp)
    const solved = await this.ports.challenge.verify(command.altcha)
    const signUp = readSignUp(command, this.ports)
    const outcome = await this.ports.unitOfWork.run(async (stores) => {
      const found = await Promise.all(names.map((name) => stores.feeds.find(name)))
      const targets = targetsOf(
        found.map((feed) => signUpFeed(feed, command, 'feeds')),
        command,
      )
      await this.ports.challenge.spend(stores.spentChallenges, solved)
      if (command.website) return await this.#trapped(stores, signUp, names)
      for (const { feed, fields } of targets) await noteStoredFields(stores, feed, fields)
      return await this.#signUp(stores, signUp, targets)
    })
    announceSignUp(this.ports, outcome)
    const { name } = signUp
    const { email } = command
    const subscriptions = names.map((feed, n) => ({ name, email, id: outcome.ids[n] ?? 0, feed }))
    return { subscriptions, returnTo: command.returnTo || undefined }
  }

  async #trapped(stores: Stores, signUp: SignUp, names: readonly FeedName[]): Promise<Outcome> {
    await countTurnedAway(stores, 'honeypot', names[0], this.ports.clock.now())
    const located = await this.#locate(stores, signUp, names)
    return { ids: located.map(({ id }) => id), mailPending: false, turnedAwayBy: 'honeypot' }
  }

  #locate({ subscriptions }: Stores, { address }: SignUp, names: readonly FeedName[]) {
    const locate = (feed: FeedName) => subscriptions.locate(subscriptionIdentity(this.ports.digests, feed, address.key))
    return Promise.all(names.map(locate))
  }

  async #signUp(stores: Stores, signUp: SignUp, targets: readonly Target[]): Promise<Outcome> {
    const now = this.ports.clock.now()
    const names = targets.map(({ feed }) => feed.name)
    const located = await this.#locate(stores, signUp, names)
    const ids = located.map(({ id }) => id)
    const suppression = await findSuppression(stores.suppressions, signUp.hashes)
    const [waiting, slots, lastConsents] = await Promise.all([
      Promise.all(
        located.map(({ id, subscription }) => waitingMail(stores.outbox, { id, lastMail: subscription?.lastMail })),
      ),
      stores.mailCaps.slots(signUp.hashes.mailbox),
      Promise.all(ids.map((id) => stores.consents.last(id))),
    ])
    if (suppression) return await this.#suppressed(stores, ids, targets, now)
    const requests = targets.map((target, n): FeedRequest => {
      const { id = 0, subscription } = located[n] ?? {}
      const state = !goesOn(subscription, now) ? 'new' : subscription.status === 'pending' ? 'pending' : 'confirmed'
      return { ...target, id, current: subscription, state, waiting: waiting[n], lastConsent: lastConsents[n] }
    })
    const mailPending = await this.#store(stores, signUp, requests, mailCapAllows(slots, now), now)
    return mailPending ? { ids, mailPending } : { ids, mailPending, turnedAwayBy: 'mail-cap' }
  }

  async #suppressed(
    stores: Stores,
    ids: readonly SubscriptionId[],
    targets: readonly Target[],
    now: Instant,
  ): Promise<Outcome> {
    const decoys = targets.flatMap(({ fields }) => [this.#decoy(stores, fields), ...this.#decoys(stores, 3)])
    await Promise.all([...decoys, countTurnedAway(stores, 'suppressed', targets[0]?.feed.name, now)])
    return { ids, mailPending: false, turnedAwayBy: 'suppressed' }
  }

  /** Whether there is a mail to be sent. For each feed a row is put, and one each of its ledger, its events and the group. */
  async #store(
    stores: Stores,
    signUp: SignUp,
    requests: readonly FeedRequest[],
    capAllows: boolean,
    now: Instant,
  ): Promise<boolean> {
    const { kind, leader, isOwed, expiresAt } = mailFor(requests, now + this.ports.linkLife)
    for (const { state, waiting, id } of requests) if (state === 'new' && waiting) await takeBack(stores, waiting, id)
    const { randomness } = this.ports
    const signUpGroup = randomness.hex(8)
    const occasion = {
      ...{ kind, subscriptionId: leader, address: signUp.hashes.address, signUpGroup },
      expiresAt: kind === 'confirmation' ? expiresAt : undefined,
    }
    const mayMail = isOwed || (capAllows && requests.every(({ waiting }) => waiting === undefined))
    const mail = mayMail ? await queueMail(stores.outbox, this.ports, occasion, now) : undefined
    if (mail === undefined) await this.#decoy(stores)
    const members: SignUpGroupMember[] = []
    for (const request of requests) {
      const subscription = this.#subscriptionOf(request, signUp, mail, { kind, expiresAt }, now)
      await stores.subscriptions.put(subscription)
      const episode = request.state === 'confirmed' ? undefined : subscription.episode
      members.push({ id: request.id, episode })
      await this.#record(stores, signUp, request, now)
    }
    if (mail === undefined) await Promise.all(this.#decoys(stores, requests.length))
    else await stores.signUpGroups.add(signUpGroup, members, expiresAt)
    return mail !== undefined
  }

  #subscriptionOf(
    { state, id, feed, fields, current, waiting }: FeedRequest,
    signUp: SignUp,
    mail: OutboxId | undefined,
    { kind, expiresAt }: Pick<GroupMail, 'kind' | 'expiresAt'>,
    now: Instant,
  ): Subscription {
    if (state === 'new' || current === undefined) {
      const episode = this.ports.randomness.hex(8)
      const beginning = { id, feed: feed.name, old: current, fields, episode, expiresAt, lastMail: mail ?? 0 }
      return pendingSubscription(signUp, beginning, now)
    }
    // A mail of its own that still waits stays the one that is owed.
    const isAbout = waiting === undefined && (state === 'pending' || kind === 'already-subscribed')
    const lastMail = isAbout && mail !== undefined ? mail : current.lastMail
    const latest = state === 'pending' ? { name: signUp.name, locale: signUp.locale, fields } : {}
    return { ...current, ...latest, lastMail }
  }

  async #record(stores: Stores, signUp: SignUp, request: FeedRequest, now: Instant): Promise<void> {
    const { state, id, feed, fields, lastConsent } = request
    const record = requested(signUp, feed, now)
    if (state === 'new') {
      await stores.consents.append(id, record)
      await stores.events.append(subscriptionEvent('subscription.pending', { id, feed: feed.name }, now))
    } else {
      await appendOrCountAfter(lastConsent, stores.consents, id, record)
      // In place of the event; and, where nothing is changed, of the values that the form gives.
      await this.#decoy(stores, state === 'confirmed' ? fields : undefined)
    }
  }

  #decoy(stores: Stores, like?: FieldValues): Promise<void> {
    return writeDecoy(stores, this.ports.randomness, like)
  }

  #decoys(stores: Stores, count: number): Promise<void>[] {
    return Array.from({ length: count }, () => this.#decoy(stores))
  }
}

/** What the form asks for, and what is known of that. */
interface FeedRequest extends Target {
  readonly id: SubscriptionId
  readonly current: Subscription | undefined
  /** `new`: also after an end, or where its links have expired. */
  readonly state: 'new' | 'pending' | 'confirmed'
  readonly waiting: OutboxEntry | undefined
  readonly lastConsent: ConsentRecord | undefined
}

interface Outcome extends SignUpOutcome {
  readonly ids: readonly SubscriptionId[]
}

interface GroupMail {
  readonly kind: MailKind
  /** The subscription that the mail is filed under. */
  readonly leader: SubscriptionId
  /** Whether it is sent even if it must wait for the caps. */
  readonly isOwed: boolean
  /** When its links expire. */
  readonly expiresAt: Instant
}

const mailFor = (requests: readonly FeedRequest[], inALinkLife: Instant): GroupMail => {
  const begun = requests.find(({ state }) => state === 'new')
  if (begun !== undefined) return { kind: 'confirmation', leader: begun.id, isOwed: true, expiresAt: inALinkLife }
  const pending = requests.filter(({ state }) => state === 'pending')
  const expiryOf = ({ current }: FeedRequest) => current?.expiresAt ?? 0
  const [last] = pending.sort((a, b) => expiryOf(b) - expiryOf(a))
  if (last !== undefined)
    return { kind: 'confirmation', leader: last.id, isOwed: false, expiresAt: expiryOf(last) || inALinkLife }
  return { kind: 'already-subscribed', leader: requests[0]?.id ?? 0, isOwed: false, expiresAt: inALinkLife }
}
