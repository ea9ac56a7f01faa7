import { InvalidInput } from '../errors.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import type { Instant } from '../instant.ts'
import { mailCapAllows } from '../outbox/mail-cap.ts'
import { queueMail } from '../outbox/pending-mail.ts'
import { timestamp } from '../published/timestamp.ts'
import { writeDecoy } from '../subscriptions/decoy.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import { openPreferences, type Preferences } from '../subscriptions/preferences.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { waitingMoveMail } from './moved-subscriptions.ts'

export interface RequestMoveCommand {
  /** From a link to the preferences that was mailed to the old address. */
  readonly token: string
  /** The new address. */
  readonly email: string
}

/** Mails a new address a link that moves the confirmed subscriptions of an old one to it. */
export class RequestMoveUseCase extends UseCase<
  'signedLinks' | 'unitOfWork' | 'clock' | 'randomness' | 'transport' | 'digests' | 'domainNames' | 'linkLife'
> {
  /**
   * When this resolves, the mail, if there is one, is on durable storage; the result never reveals whether there is one, or
   * what is known of the new address. A request takes the place of the one before it.
   * @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone
   * @throws {InvalidInput} the address is not valid, or the same; there is nothing to move; or the last move can be undone
   */
  async execute({ token, email }: RequestMoveCommand): Promise<void> {
    this.ports.signedLinks.require('preferences', token)
    const address = parseEmailAddress(email, this.ports.domainNames)
    const hashes = mailboxHashes(this.ports.digests, address.key)
    await this.ports.unitOfWork.run(async (stores) => {
      const preferences = await openPreferences(stores, token, this.ports)
      await this.#request(stores, preferences, address, hashes)
    })
  }

  /** Whatever is known of the new address, it asks the stores for the same and writes as many rows. */
  async #request(
    stores: Stores,
    preferences: Preferences,
    address: EmailAddress,
    { address: newAddress, ...others }: MailboxHashes,
  ): Promise<void> {
    const { moves } = stores
    const now = this.ports.clock.now()
    const { addressKey } = preferences.own.subscription
    const old = preferences.hashes.address
    const anchor = movable(preferences)[0]
    if (anchor === undefined) throw refused('There is no confirmed subscription that could move to another address.')
    if (address.key === addressKey) throw refused('This is the address already. Give another one.')
    // Its owner has just followed a link in a mail to it.
    await liftUndeliverable(stores, this.ports, addressKey, now)
    const before = await moves.ofAddress(old)
    requireOver([before, await moves.toAddress(old)], now)
    const hashes = { address: newAddress, ...others }
    const suppression = await findSuppression(stores.suppressions, hashes)
    const slots = await stores.mailCaps.slots(hashes.mailbox)
    const waiting = await waitingMoveMail(stores.outbox, { id: before?.id ?? anchor.id, mail: before?.mail })
    const again = before?.addressKey === address.key ? before : undefined
    if (waiting && !again) await stores.outbox.remove(waiting.id)
    if (before !== undefined && before.id !== anchor.id) {
      // Its mail is about another subscription: it is owed anew.
      if (waiting && again) await stores.outbox.remove(waiting.id)
      await moves.remove(before.id)
    }
    const isOwed = again === undefined || again.id !== anchor.id
    const mayMail = suppression === undefined && (isOwed || (waiting === undefined && mailCapAllows(slots, now)))
    const expiresAt = now + this.ports.linkLife
    const occasion = { kind: 'move', subscriptionId: anchor.id, address: newAddress, expiresAt } as const
    const queued = mayMail ? await queueMail(stores.outbox, this.ports, occasion, now) : undefined
    if (!mayMail) await writeDecoy(stores, this.ports.randomness)
    await moves.put({
      ...{ id: anchor.id, address: old, newAddress, email: address.value, addressKey: address.key },
      episode: again?.episode ?? this.ports.randomness.hex(8),
      ...{ requestedAt: now, movedAt: undefined, undoneAt: undefined, expiresAt },
      mail: queued ?? (isOwed ? undefined : again?.mail),
    })
  }
}

/** What can move: a subscription that is confirmed, to a feed that stays. */
export const movable = ({ subscriptions }: Pick<Preferences, 'subscriptions'>): readonly Subscription[] =>
  subscriptions
    .filter(({ subscription, feed }) => subscription.status === 'confirmed' && feed.deletingSince === undefined)
    .map(({ subscription }) => subscription)

const refused = (message: string): InvalidInput => new InvalidInput([{ field: 'email', message }])

/** @throws {InvalidInput} one of these was carried out, and can still be undone */
const requireOver = (
  moves: readonly ({ movedAt: Instant | undefined; undoneAt: Instant | undefined; expiresAt: Instant } | undefined)[],
  now: Instant,
): void => {
  for (const move of moves)
    if (move?.movedAt !== undefined && move.undoneAt === undefined && move.expiresAt > now)
      throw refused(
        `The last change of address can be undone until ${timestamp(move.expiresAt)}. Try again after that.`,
      )
}
