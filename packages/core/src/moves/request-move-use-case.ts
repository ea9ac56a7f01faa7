import { InvalidInput } from '../errors.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import type { Instant } from '../instant.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import { openPreferences, type Preferences } from '../preferences/preferences.ts'
import { timestamp } from '../published/timestamp.ts'
import { addressHash, type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { finishMove } from './finish-moves-use-case.ts'
import { removeMove } from './moved-subscriptions.ts'

export interface RequestMoveCommand {
  /** From a link to the preferences that was mailed to the old address. */
  readonly token: string
  /** The new address. */
  readonly email: string
}

/** Mails a new address a link that moves the confirmed subscriptions of an old one to it. */
export class RequestMoveUseCase extends UseCase<
  | 'blockedDomains'
  | 'signedLinks'
  | 'unitOfWork'
  | 'requests'
  | 'clock'
  | 'jumpGuardedClock'
  | 'randomness'
  | 'digests'
  | 'domainNames'
  | 'linkLife'
  | 'transport'
> {
  /**
   * When this resolves, the request for the mail is on durable storage; nothing that is stored about the new address
   * was read. A request takes the place of the one before it.
   * @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is
   * gone
   * @throws {InvalidInput} the address is not valid, or the same; there is nothing to move; or the last move can be
   * undone
   */
  async execute({ token, email }: RequestMoveCommand): Promise<void> {
    const { id } = this.ports.signedLinks.require('preferences', token)
    const address = parseEmailAddress(email, this.ports.domainNames)
    const forgotten = await this.ports.unitOfWork.run(async (stores) => {
      await this.ports.requests.firstOf(stores, id)
      const preferences = await openPreferences(stores, token, this.ports)
      return await this.#request(stores, preferences, address)
    })
    await forgetMails(this.ports.transport, forgotten)
    await this.ports.requests.handedIn()
  }

  /** Gives the Message-IDs that the mail transport must forget. */
  async #request(stores: Stores, preferences: Preferences, address: EmailAddress): Promise<readonly string[]> {
    const { moves } = stores
    const now = this.ports.clock.now()
    const { addressKey } = preferences.own.subscription
    const old = preferences.hashes.address
    const anchor = movable(preferences)[0]
    if (anchor === undefined) throw refused('There is no confirmed subscription that could move to another address.')
    if (address.key === addressKey) throw refused('This is the address already. Give another one.')
    // Its owner has just followed a link in a mail to it.
    await liftUndeliverable(stores, [preferences.own.subscription.address], now)
    const last = await moves.ofAddress(old)
    // What is over may go for its age.
    requireOver([last, await moves.toAddress(old)], this.ports.jumpGuardedClock.now())
    // Over, and not finished yet: what it has moved is no part of the next.
    const isDone = last?.movedAt !== undefined && last.undoneAt === undefined
    const finished = isDone ? (await finishMove(stores, last, now)).mails : []
    const before = isDone ? undefined : last
    // A mail that waits for the same move stays the one that is owed.
    const again = before?.addressKey === address.key && before.id === anchor.id ? before : undefined
    if (before !== undefined && again === undefined) await removeMove(stores, before)
    // As if it were: nothing is kept of it, and no mail comes.
    if (this.ports.blockedDomains.has(address)) return finished
    const newAddress = addressHash(this.ports.digests, address.key)
    await moves.put({
      id: anchor.id,
      address: old,
      newAddress,
      email: address.value,
      addressKey: address.key,
      episode: again?.episode ?? (before?.addressKey === address.key ? before.episode : this.ports.randomness.hex(8)),
      requestedAt: now,
      movedAt: undefined,
      undoneAt: undefined,
      expiresAt: now + this.ports.linkLife,
      mail: again?.mail,
    })
    const asked = { kind: 'move', subscription: anchor.id, addressKey: address.key } as const
    await stores.requests.add({ at: now, address: newAddress, asked })
    return finished
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
