import { DAY } from '../instant.ts'
import { queueMail, waitingPreferencesMail } from '../outbox/pending-mail.ts'
import { readAll } from '../read-all.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { noSubscription, writeDecoy } from './decoy.ts'
import { type EmailAddress, parseEmailAddress } from './email-address.ts'
import { DEFAULT_FEED } from './feed.ts'
import type { SignUpOutcome, TurnedAwayBy } from './funnel-metrics.ts'
import { parseLocale } from './locale.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from './mailbox-hashes.ts'
import { type FeedSubscription, feedSubscriptionsOf } from './preferences.ts'
import type { SubscriptionStatus } from './subscription.ts'

/** A form that asks for a link, as it came. */
export interface RequestPreferencesCommand {
  readonly email: string
  /** Picks the language of the answer alone: the mail speaks the one that its owner chose. */
  readonly locale?: string | undefined
  /** The honeypot: people do not see it, so only a machine fills it in. */
  readonly website?: string | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
}

/** No cap holds a mail back for longer. */
const OWED_FOR = 7 * DAY

/** Mails an address the link to its own preferences, if it has any: as soon as the caps of its mailbox allow. */
export class RequestPreferencesUseCase extends UseCase<
  | 'unitOfWork'
  | 'clock'
  | 'randomness'
  | 'transport'
  | 'digests'
  | 'domainNames'
  | 'outboxSignal'
  | 'challenge'
  | 'metrics'
> {
  /**
   * When this resolves, the mail, if there is one, is on durable storage; the result never reveals whether there is one.
   * @throws {InvalidInput} a field is not valid
   */
  async execute(command: RequestPreferencesCommand): Promise<void> {
    const solved = await this.ports.challenge.verify(command.altcha)
    const { address } = readAll({
      address: () => parseEmailAddress(command.email, this.ports.domainNames),
      locale: () => parseLocale(command.locale),
    })
    const hashes = mailboxHashes(this.ports.digests, address.key)
    const { mailPending, turnedAwayBy } = await this.ports.unitOfWork.run(async (stores) => {
      await this.ports.challenge.spend(stores.spentChallenges, solved)
      return command.website ? await trapped(stores) : await this.#ask(stores, address, hashes)
    })
    if (turnedAwayBy !== undefined) this.ports.metrics.turnedAway(turnedAwayBy)
    if (mailPending) this.ports.outboxSignal.notify()
  }

  /**
   * Whatever is known of the address, it asks the stores for the same and writes as many rows. It always changes something:
   * a store may skip the disk if nothing changes, and the time would reveal it.
   */
  async #ask(stores: Stores, address: EmailAddress, hashes: MailboxHashes): Promise<Outcome> {
    const now = this.ports.clock.now()
    const suppression = await findSuppression(stores.suppressions, hashes)
    const found = await feedSubscriptionsOf(stores, this.ports.digests, address.key, now)
    // As the feed of a subscription is looked for.
    if (found.length === 0) await stores.feeds.find(DEFAULT_FEED)
    const [best] = found.sort((a, b) => rankOf(a) - rankOf(b))
    const asked = best === undefined ? [noSubscription(this.ports.randomness)] : found.map((one) => one.subscription)
    // One at a time, whichever of the address's subscriptions it hangs on.
    const waiting = await Promise.all(asked.map((one) => waitingPreferencesMail(stores.outbox, one)))
    if (suppression) return await this.#counted(stores, 'suppressed', 'suppressed')
    if (best === undefined) return await this.#counted(stores, 'unknown-address')
    if (waiting.some((mail) => mail !== undefined)) return await this.#counted(stores, 'held-back', 'mail-cap')
    const { subscription } = best
    const kind = 'preferences' as const
    const occasion = {
      kind,
      subscriptionId: subscription.id,
      address: hashes.address,
      expiresAt: now + OWED_FOR,
    }
    const preferencesMail = await queueMail(stores.outbox, this.ports, occasion, now)
    await stores.subscriptions.put({ ...subscription, preferencesMail })
    return { mailPending: true }
  }

  async #counted(stores: Stores, as: SignUpOutcome, turnedAwayBy?: TurnedAwayBy): Promise<Outcome> {
    await Promise.all([writeDecoy(stores, this.ports.randomness), stores.signUpCounts.add(as)])
    return { mailPending: false, turnedAwayBy }
  }
}

interface Outcome {
  readonly mailPending: boolean
  readonly turnedAwayBy?: TurnedAwayBy | undefined
}

const trapped = async (stores: Stores): Promise<Outcome> => {
  await stores.signUpCounts.add('honeypot')
  return { mailPending: false, turnedAwayBy: 'honeypot' }
}

const RANK = { confirmed: 0, pending: 1, ended: 2 } as const satisfies Record<SubscriptionStatus, number>

/** The link dies with its subscription: best one that will last, and that its owner knows of. */
const rankOf = ({ subscription, feed }: FeedSubscription): number =>
  RANK[subscription.status] + (feed.deletingSince === undefined ? 0 : 3)
