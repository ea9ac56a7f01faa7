import type { Instant } from '../instant.ts'
import { mailCapAllows, slotsAt } from '../outbox/mail-cap.ts'
import { isOnItsWay, newMail, waitingOwnMail } from '../outbox/pending-mail.ts'
import type { Means } from '../sign-up/means.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'

/** A move that waits for its mail to the new address. */
interface AskedMove {
  readonly subscription: SubscriptionId
  /** The new one. */
  readonly addressKey: string
}

/**
 * Queues the mail that asks a new address to confirm a move: the first is owed, a copy goes only if none waits and the
 * caps allow it now. Nothing if the address is suppressed, or the move was given up or carried out meanwhile.
 */
export const mailMove = async (
  stores: Stores,
  ports: Means,
  { subscription, addressKey }: AskedMove,
  now: Instant,
  traceContext: string | undefined,
): Promise<void> => {
  const move = await stores.moves.find(subscription)
  if (move === undefined || move.addressKey !== addressKey || move.movedAt !== undefined) return
  const hashes = mailboxHashes(ports.digests, addressKey)
  if ((await findSuppression(stores.suppressions, hashes)) !== undefined) return
  const queued = await waitingOwnMail(stores.outbox, move.id, move.mail)
  const isOwed = move.mail === undefined
  const slots = (await slotsAt(stores.mailCaps, [hashes.mailbox], now)).get(hashes.mailbox) ?? []
  if (!isOwed && (isOnItsWay(queued, now) || !mailCapAllows(slots, now))) return
  // It was given up: this one is in its place.
  if (queued) await stores.outbox.remove(queued.id)
  const { id, newAddress: address, expiresAt } = move
  const occasion = { kind: 'move', subscriptionId: id, address, expiresAt } as const
  const mail = await stores.outbox.add({ ...newMail(ports, occasion, now), traceContext })
  await stores.moves.put({ ...move, mail })
}
