import { HOUR } from '../instant.ts'
import type { MessageIds } from '../outbox/message-ids.ts'
import type { OutboxId } from '../outbox/outbox-entry.ts'
import { mayOweAnother, owedMail } from '../outbox/owed-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digests } from '../ports/digests.ts'
import type { DomainNames } from '../ports/domain-names.ts'
import type { FunnelMetrics, TurnedAwayBy } from '../ports/funnel-metrics.ts'
import type { OutboxBell } from '../ports/outbox-bell.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import { readAll } from '../read-all.ts'
import { type AddressHash, addressHash } from './address-hash.ts'
import type { ChallengeGate } from './challenge-gate.ts'
import { type EmailAddress, parseEmailAddress } from './email-address.ts'
import { parseLocale } from './locale.ts'
import { type FeedSubscription, feedSubscriptionsOf } from './preferences.ts'
import type { Subscription, SubscriptionStatus } from './subscription.ts'

/** A form that asks for a link, as it came. */
export interface RequestPreferencesCommand {
  readonly email: string
  /** Picks the language of the answer alone: the mail speaks the one that its owner chose. */
  readonly locale?: string | undefined
  /** The honeypot: people do not see it, so whoever fills it is a machine. */
  readonly website?: string | undefined
  /** The solution of a challenge, where one is asked for. */
  readonly altcha?: string | undefined
}

/** How long a link to preferences lives. */
export const PREFERENCES_LIFE = 1 * HOUR

/** Mails an address the link to its own preferences, if it has any. */
export class RequestPreferencesUseCase {
  readonly #unitOfWork: UnitOfWork
  readonly #clock: Clock
  readonly #messageIds: MessageIds
  readonly #digests: Digests
  readonly #domainNames: DomainNames
  readonly #bell: OutboxBell
  readonly #challenge: ChallengeGate
  readonly #metrics: FunnelMetrics

  constructor(ports: {
    unitOfWork: UnitOfWork
    clock: Clock
    messageIds: MessageIds
    digests: Digests
    domainNames: DomainNames
    bell: OutboxBell
    challenge: ChallengeGate
    metrics: FunnelMetrics
  }) {
    this.#unitOfWork = ports.unitOfWork
    this.#clock = ports.clock
    this.#messageIds = ports.messageIds
    this.#digests = ports.digests
    this.#domainNames = ports.domainNames
    this.#bell = ports.bell
    this.#challenge = ports.challenge
    this.#metrics = ports.metrics
  }

  /**
   * When this resolves, the mail, if one is owed, is on durable storage; that it resolves never tells whether one is.
   * @throws {InvalidInput} a field is not valid
   */
  async execute(command: RequestPreferencesCommand): Promise<void> {
    const solved = await this.#challenge.verify(command.altcha)
    const { address } = readAll({
      address: () => parseEmailAddress(command.email, this.#domainNames),
      locale: () => parseLocale(command.locale),
    })
    const hash = addressHash(this.#digests, address.key)
    const { mailOwed, turnedAwayBy } = await this.#unitOfWork.run(async (stores) => {
      await this.#challenge.spend(stores, solved)
      return command.website ? await trapped(stores) : await this.#ask(stores, address, hash)
    })
    if (turnedAwayBy !== undefined) this.#metrics.turnedAway(turnedAwayBy)
    if (mailOwed) this.#bell.ring()
  }

  /** Whatever is found, something changes: a store may skip the disk for what is written as it was. */
  async #ask(stores: Stores, address: EmailAddress, hash: AddressHash): Promise<Outcome> {
    const suppression = await stores.suppressions.find(hash)
    const found = await feedSubscriptionsOf(stores, this.#digests, address.key, this.#clock.now())
    if (suppression) {
      await stores.signUpCounts.add('suppressed')
      return { mailOwed: false, turnedAwayBy: 'suppressed' }
    }
    const [best] = found.sort((a, b) => rankOf(a) - rankOf(b))
    if (best === undefined) {
      await stores.signUpCounts.add('unknown-address')
      return { mailOwed: false }
    }
    const { subscription } = best
    if (!(await mayOweAnother(stores, subscription, hash, this.#clock.now()))) {
      await stores.signUpCounts.add('held-back')
      return { mailOwed: false, turnedAwayBy: 'mail-cap' }
    }
    await stores.subscriptions.put({ ...subscription, lastMail: await this.#owe(stores, subscription, hash) })
    return { mailOwed: true }
  }

  async #owe({ outbox }: Stores, { id }: Subscription, address: AddressHash): Promise<OutboxId> {
    const now = this.#clock.now()
    const occasion = { kind: 'preferences', subscriptionId: id, address, expiresAt: now + PREFERENCES_LIFE } as const
    return await outbox.add(owedMail(this.#messageIds, occasion, now))
  }
}

interface Outcome {
  readonly mailOwed: boolean
  readonly turnedAwayBy?: TurnedAwayBy
}

const trapped = async ({ signUpCounts }: Stores): Promise<Outcome> => {
  await signUpCounts.add('honeypot')
  return { mailOwed: false, turnedAwayBy: 'honeypot' }
}

const RANK = { confirmed: 0, pending: 1, ended: 2 } as const satisfies Record<SubscriptionStatus, number>

/** The link dies with its subscription: best one that will last, and that its owner knows of. */
const rankOf = ({ subscription, feed }: FeedSubscription): number =>
  RANK[subscription.status] + (feed.deletingSince === undefined ? 0 : 3)
