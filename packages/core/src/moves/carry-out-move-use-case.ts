import { LinkNotValid } from '../errors.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import { liftUndeliverable } from '../feedback/deliverability.ts'
import { visible } from '../feeds/visible-fields.ts'
import { DAY } from '../instant.ts'
import { queueMail, withdrawMail } from '../outbox/pending-mail.ts'
import { feedSubscriptionsOf } from '../preferences/preferences.ts'
import type { LinkCommand } from '../subscriptions/confirm-subscription-use-case.ts'
import { type ConsentSource, consentRecord, wordingOf } from '../subscriptions/consent.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import { subscriptionIdentity } from '../subscriptions/subscription-id.ts'
import { endAndRecord } from '../subscriptions/subscription-transitions.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { openMove } from './move-links.ts'
import type { AddressMove } from './move-store.ts'
import { withdrawMoveMail } from './moved-subscriptions.ts'
import { movable } from './request-move-use-case.ts'

/** How long a change of address can be undone by the old one. */
export const UNDO_LIFE = 7 * DAY

export interface MoveResult {
  /** It was done by this link before. */
  readonly already: boolean
}

/** Moves the confirmed subscriptions of an old address to the new one, whose reader has followed the link. */
export class CarryOutMoveUseCase extends UseCase<
  'signedLinks' | 'unitOfWork' | 'requests' | 'clock' | 'randomness' | 'transport' | 'digests'
> {
  /**
   * All of it or nothing; repeating it changes nothing and says so.
   * @throws {LinkNotValid} it has no valid signature, has expired or was superseded; there is nothing left to move; or
   * the new address is suppressed
   */
  async execute({ token, source }: LinkCommand): Promise<MoveResult> {
    this.ports.signedLinks.require('move', token)
    const moved = await this.ports.unitOfWork.run(async (stores) => {
      const move = await openMove(stores, 'move', token, this.ports)
      if (move.movedAt !== undefined) return false
      await this.#move(stores, move, source)
      return true
    })
    return { already: !moved }
  }

  async #move(stores: Stores, move: AddressMove, source: ConsentSource): Promise<void> {
    const { digests, clock, randomness } = this.ports
    const now = clock.now()
    const anchor = await stores.subscriptions.find(move.id)
    const { email, addressKey } = move
    if (anchor === undefined || email === undefined || addressKey === undefined) throw new LinkNotValid()
    await this.ports.requests.first(stores, [anchor.address, move.newAddress])
    const subscriptions = await feedSubscriptionsOf(stores, anchor.address, now)
    const olds = movable({ subscriptions })
    const hashes = mailboxHashes(digests, addressKey)
    const suppression = await findSuppression(stores.suppressions, hashes)
    const other = await stores.moves.toAddress(move.address)
    const isHeld = other !== undefined && other.expiresAt > now
    if (olds.length === 0 || suppression !== undefined || isHeld) throw new LinkNotValid()
    await liftUndeliverable(stores, [hashes.address], now)
    for (const old of olds) {
      const begun = await this.#begin(stores, old, { email, addressKey, address: hashes.address }, source)
      const { episode } = await endAndRecord(stores, old, 'moved', source, { clock, randomness })
      await stores.moves.link({ oldId: old.id, ...begun, episode, move: move.id })
    }
    // A repeated mail to the new address has nothing to say any more; nothing else would name it from here on.
    await withdrawMoveMail(stores.outbox, move)
    const expiresAt = now + UNDO_LIFE
    const occasion = { kind: 'moved', subscriptionId: move.id, address: move.address, expiresAt } as const
    const mail = await queueMail(stores.outbox, this.ports, occasion, now)
    await stores.moves.put({ ...move, email: undefined, addressKey: undefined, movedAt: now, expiresAt, mail })
  }

  /** The subscription of the new address: one that is confirmed there stays as it is. */
  async #begin(
    stores: Stores,
    old: Subscription,
    to: Pick<Subscription, 'email' | 'addressKey' | 'address'>,
    source: ConsentSource,
  ): Promise<{ readonly newId: number; readonly newEpisode: string | undefined }> {
    const { digests, clock, randomness } = this.ports
    const now = clock.now()
    const { feed, locale: language } = old
    const { id, subscription: there } = await stores.subscriptions.locate(
      subscriptionIdentity(digests, feed, to.addressKey),
    )
    if (there?.status === 'confirmed') return { newId: id, newEpisode: undefined }
    if (there) await withdrawMail(stores, there)
    // What this address had become before, for good, is not what comes now.
    const [became] = await stores.moves.movedFrom([id])
    if (became && became.move === undefined) await stores.moves.unlink(id)
    const episode = randomness.hex(8)
    const stored = await stores.feeds.find(feed)
    const subscription: Subscription = {
      // Whoever erases values has looked for the last of them already, perhaps.
      ...visible(old, stored),
      ...to,
      id,
      episode,
      confirmedAt: now,
      createdAt: there && !isExpired(there, now) ? there.createdAt : now,
      lastMail: undefined,
      preferencesMail: there?.preferencesMail,
    }
    await stores.subscriptions.put(subscription)
    const wording = wordingOf(stored)
    await stores.consents.append(id, consentRecord({ deed: 'moved', at: now, source, language, wording }))
    await stores.events.append(subscriptionEvent('subscription.confirmed', subscription, now))
    return { newId: id, newEpisode: episode }
  }
}
