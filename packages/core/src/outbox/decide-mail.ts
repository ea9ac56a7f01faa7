import { type Feed, remindsNow, welcomesNow } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { AddressMove } from '../moves/move-store.ts'
import { LINK_LEFT } from '../reminders/remind-after.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { StoredSuppression } from '../suppressions/suppression-store.ts'
import { clampedTo, type MailSlot, mailCapAllowsAt, reminderAllowedAt, withoutMail, withSlot } from './mail-cap.ts'
import { asksToConfirm, type OutboxEntry } from './outbox-store.ts'

/** One feed of a mail about several. */
export interface MailMember {
  readonly subscription: Subscription
  /** The life of the subscription that the link in the mail is good for. */
  readonly episode: string | undefined
  readonly feed: Feed | undefined
}

/** What is stored about a mail that is due. */
export interface MailFacts {
  readonly entry: OutboxEntry
  readonly subscription: Subscription | undefined
  readonly feed: Feed | undefined
  /** In the order of the form; undefined for a mail about one feed. */
  readonly members: readonly MailMember[] | undefined
  /** The change of address that the mail is about. */
  readonly move: AddressMove | undefined
  /** Whether its reader has signed up again since it was queued. */
  readonly askedAgain: boolean
}

/** What is stored about the mailbox that a mail goes to. */
export interface MailboxFacts {
  readonly suppression: StoredSuppression | undefined
  /** Whether mails to the address came back. */
  readonly undeliverable: boolean
  /** All that count for it, of the mails before this one in its batch, too. */
  readonly slots: readonly MailSlot[]
}

export type Reader = Pick<Subscription, 'email' | 'addressKey'>

/** A mail that has something to say: what it is about. */
export interface AptMail {
  readonly entry: OutboxEntry
  readonly to: Reader
  readonly subscription: Subscription
  readonly feed: Feed
  readonly feeds: readonly Feed[] | undefined
  readonly move: AddressMove | undefined
}

/** `slots`: what counts for the mailbox from now on. */
export type MailDecision =
  | { readonly does: 'send'; readonly slots: readonly MailSlot[] }
  | { readonly does: 'hold'; readonly slots: readonly MailSlot[]; readonly until: Instant; readonly error?: string }
  | { readonly does: 'drop' }

const TRIED_BEFORE =
  'The mail may have been delivered: what became of the try before is not known, as the process that made it ended.'

/** Undefined if the mail has nothing to say any more. `today`: by the clock that decides what is over. */
export const aptMail = (facts: MailFacts, today: Instant): AptMail | undefined => {
  const { subscription, feed, move } = facts
  // Once asked for again, a reminder is the copy that is owed: the sign-up does not take it back, for that would show.
  const entry = facts.askedAgain ? { ...facts.entry, kind: 'confirmation' as const } : facts.entry
  if (subscription === undefined || feed === undefined || isOver(entry, today)) return undefined
  if (entry.kind === 'reminder' && !remindsNow(feed)) return undefined
  if (entry.kind === 'welcome' && !welcomesNow(feed)) return undefined
  const to = readerOf(entry, subscription, move)
  if (to === undefined) return undefined
  const apt = facts.members?.filter((member) => isAptMember(entry, member))
  if (apt === undefined ? !isApt(entry, subscription) : apt.length === 0) return undefined
  const about = entry.kind === 'reminder' ? apt : facts.members
  const feeds = about?.flatMap((member) => member.feed ?? [])
  return { entry, to, subscription, feed, feeds, move }
}

/**
 * Whether a suppression stops the mail. Of those that only the owner stopped, two go through: that the subscriptions have
 * moved, which the owner may not have done, and the link to the preferences that was asked for since, which is the way back.
 */
export const isStopped = (
  { kind, createdAt }: Pick<OutboxEntry, 'kind' | 'createdAt'>,
  suppression: StoredSuppression | undefined,
): boolean =>
  suppression !== undefined &&
  (suppression.block !== undefined || (kind !== 'moved' && (kind !== 'preferences' || createdAt < suppression.since)))

/**
 * Whether a mail goes now, and what it counts for then. A slot is taken before the mail is sent, and given back if it was
 * not delivered. So an earlier try of this mail that still counts may have been delivered: its process died, or was not
 * answered. Another try may then be a copy, and waits for the caps like any other mail.
 * @param replaces whether another try takes the place of the one before, so that there is never a copy
 */
export const decideMail = (
  { kind, messageId, createdAt }: Pick<OutboxEntry, 'kind' | 'messageId' | 'createdAt'>,
  { suppression, undeliverable, slots }: MailboxFacts,
  now: Instant,
  replaces: boolean,
): MailDecision => {
  if (isStopped({ kind, createdAt }, suppression)) return { does: 'drop' }
  // It comes once in seven days.
  if (kind === 'moved') return { does: 'send', slots }
  const others = clampedTo(replaces ? withoutMail(slots, messageId) : slots, now)
  const isReminder = kind === 'reminder'
  const allowedAt = isReminder ? reminderAllowedAt(others, now) : mailCapAllowsAt(others, now, undeliverable)
  // It is not owed: if it cannot go now, it never goes.
  if (isReminder && (allowedAt > now || undeliverable)) return { does: 'drop' }
  if (allowedAt <= now)
    return {
      does: 'send',
      slots: withSlot(others, { at: now, messageId, ...(isReminder && { reminder: true as const }) }),
    }
  const isCopy = others.some((slot) => slot.messageId === messageId)
  return { does: 'hold', slots: clampedTo(slots, now), until: allowedAt, ...(isCopy && { error: TRIED_BEFORE }) }
}

/** To what address the mail goes; undefined if the move that it is about is not as it was when the mail was queued. */
const readerOf = ({ id, kind }: OutboxEntry, subscription: Subscription, move: AddressMove | undefined) => {
  if (kind !== 'move' && kind !== 'moved') return subscription
  if (move?.mail !== id || move.undoneAt !== undefined) return undefined
  if (kind === 'moved') return move.movedAt === undefined ? undefined : subscription
  const { email, addressKey } = move
  return email === undefined || addressKey === undefined ? undefined : { email, addressKey }
}

/** Of another life, its link would be good for nothing. */
const isAptMember = (entry: OutboxEntry, { subscription, episode }: MailMember): boolean =>
  (!asksToConfirm(entry.kind) || subscription.episode === episode) && isApt(entry, subscription)

/** Whether the mail still has something to say about the subscription as it is now. */
const isApt = ({ id, kind }: OutboxEntry, { status, lastMail }: Subscription): boolean => {
  if (kind === 'preferences' || kind === 'move' || kind === 'moved') return true
  // Another mail has asked the same since.
  if (kind === 'reminder' && lastMail !== id) return false
  return status === (asksToConfirm(kind) ? 'pending' : 'confirmed')
}

/** Whether it would come too late. */
const isOver = ({ kind, expiresAt }: OutboxEntry, today: Instant): boolean =>
  expiresAt !== undefined && expiresAt - (kind === 'reminder' ? LINK_LEFT : 0) <= today
