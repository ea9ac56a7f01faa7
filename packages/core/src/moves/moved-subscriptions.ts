import { waitingOwnMail } from '../outbox/pending-mail.ts'
import type { Readers } from '../readers.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { AddressMove, MovedSubscription } from './move-store.ts'

/** Whether the old one is as the move has left it. */
export const isStillMoved = (old: Subscription | undefined, { episode }: MovedSubscription): boolean =>
  old === undefined || (old.status === 'ended' && old.episode === episode)

/**
 * Whether the move has made the new one. One that was confirmed at the new address before is that address's alone: no
 * link of the old one may reach it. Such a pair is kept for the old one alone, and only while the move can be undone.
 */
export const isMadeByMove = ({ newEpisode, move }: MovedSubscription): boolean =>
  newEpisode !== undefined || move === undefined

/**
 * Whether the address of the old one has subscribed again: then it stands for itself. A form that was not confirmed,
 * which anybody may have sent, is no return, whatever became of it.
 */
export const hasReturned = async (
  { subscriptions }: Pick<Readers, 'subscriptions'>,
  old: Subscription | undefined,
  moved: MovedSubscription,
): Promise<boolean> => {
  if (old === undefined || isStillMoved(old, moved)) return false
  if (old.status === 'confirmed') return true
  const { consents = [] } = (await subscriptions.findEvidence(old.id)) ?? {}
  return consents.findLast(({ deed }) => deed === 'confirmed' || deed === 'moved')?.deed === 'confirmed'
}

/** Whether links of the old one are about the new one. */
const leadsOn = async (
  readers: Pick<Readers, 'subscriptions'>,
  old: Subscription | undefined,
  moved: MovedSubscription,
): Promise<boolean> => isMadeByMove(moved) && !(await hasReturned(readers, old, moved))

/** Those that a link is about: the one with this id and, if it was moved, what it has become, one after the other. */
export const linkedBy = async (
  readers: Pick<Readers, 'subscriptions' | 'moves'>,
  id: SubscriptionId,
): Promise<readonly Subscription[]> => {
  const found = new Map<SubscriptionId, Subscription | undefined>()
  for (let next: SubscriptionId | undefined = id; next !== undefined && !found.has(next); ) {
    const one = await readers.subscriptions.find(next)
    found.set(next, one)
    const [moved] = await readers.moves.movedFrom([next])
    next = moved !== undefined && (await leadsOn(readers, one, moved)) ? moved.newId : undefined
  }
  return [...found.values()].filter((one) => one !== undefined)
}

/** The subscriptions, those that ended by a move with what they have become. */
export const withMoves = async (
  moves: Pick<Readers['moves'], 'movedFrom'>,
  subscriptions: readonly Subscription[],
): Promise<readonly Subscription[]> => {
  const ended = subscriptions.filter(({ status }) => status === 'ended').map(({ id }) => id)
  if (ended.length === 0) return subscriptions
  const moved = new Map((await moves.movedFrom(ended)).map((one) => [one.oldId, one]))
  return subscriptions.map((one) => {
    const found = moved.get(one.id)
    return found !== undefined && isStillMoved(one, found) ? { ...one, movedTo: found.newId } : one
  })
}

/** The same of one. */
export const withMove = async (
  moves: Pick<Readers['moves'], 'movedFrom'>,
  subscription: Subscription,
): Promise<Subscription> => (await withMoves(moves, [subscription]))[0] ?? subscription

/** The subscription, and all that it was made of or that was made of it: who erases one erases all of them. */
export const withItsMoves = async (
  stores: Pick<Stores, 'subscriptions' | 'moves'>,
  subscription: Subscription,
): Promise<readonly Subscription[]> => {
  const { subscriptions, moves } = stores
  const found = new Map([[subscription.id, subscription]])
  for (const one of found.values()) {
    const [became] = await moves.movedFrom([one.id])
    const others = became !== undefined && (await leadsOn(stores, one, became)) ? [became.newId] : []
    for (const made of await moves.movedTo(one.id))
      if (await leadsOn(stores, await subscriptions.find(made.oldId), made)) others.push(made.oldId)
    for (const id of others) {
      const other = found.has(id) ? undefined : await subscriptions.find(id)
      if (other !== undefined) found.set(id, other)
    }
  }
  return [...found.values()]
}

/**
 * Takes back the mail of a move, if it still waits: also one that a worker has claimed and not begun. Returns its
 * Message-ID.
 */
export const withdrawMoveMail = async (
  outbox: Stores['outbox'],
  { id, mail }: AddressMove,
): Promise<readonly string[]> => {
  const waiting = await waitingOwnMail(outbox, id, mail)
  if (waiting) await outbox.remove(waiting.id)
  return waiting ? [waiting.messageId] : []
}

/** Takes back the mail of a move, and forgets the move. Returns the Message-ID of the mail, if it waited. */
export const removeMove = async (
  { outbox, moves }: Pick<Stores, 'outbox' | 'moves'>,
  move: AddressMove,
): Promise<readonly string[]> => {
  const withdrawn = await withdrawMoveMail(outbox, move)
  await moves.remove(move.id)
  return withdrawn
}

/**
 * Forgets what moves know of a subscription that is erased. Returns the Message-IDs of mails that waited. A move that
 * was carried out stays for the others that it moved.
 */
export const forgetMoves = async (
  stores: Pick<Stores, 'outbox' | 'moves'>,
  subscription: Subscription,
): Promise<readonly string[]> => {
  const { id } = subscription
  const { moves } = stores
  // The others are needed to undo: their old ones are not of this address, and not erased with it.
  const links = (await moves.movedTo(id)).filter(isMadeByMove)
  const [became] = await moves.movedFrom([id])
  const isOver = became?.move === undefined && subscription.status !== 'pending'
  if (became !== undefined && (isOver || isStillMoved(subscription, became))) links.push(became)
  for (const { oldId } of links) await moves.unlink(oldId)
  const mails: string[] = []
  for (const name of new Set([id, ...links.map(({ move }) => move)])) {
    const move = name === undefined ? undefined : await moves.find(name)
    if (move === undefined || (move.movedAt !== undefined && (await moves.ofMove(move.id)).length > 0)) continue
    mails.push(...(await removeMove(stores, move)))
  }
  return mails
}

const MOST_ASKED = 50

/**
 * Forgets what was asked for and not carried out: changes of address to this one, which is erased. Returns the
 * Message-IDs of mails that waited.
 */
export const forgetMovesTo = async (
  stores: Pick<Stores, 'outbox' | 'moves'>,
  address: AddressHash,
): Promise<readonly string[]> => {
  const mails: string[] = []
  for (;;) {
    const asked = await stores.moves.askedOf(address, MOST_ASKED)
    for (const move of asked) mails.push(...(await removeMove(stores, move)))
    if (asked.length < MOST_ASKED) return mails
  }
}
