import type { Instant } from '../instant.ts'
import type { MailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import {
  type MailCapStore,
  type MailSlot,
  mailCapAllowsAt,
  notAfter,
  reminderAllowedAt,
  withoutMail,
  withoutSlot,
  withSlot,
} from './mail-cap.ts'
import type { OutboxEntry } from './outbox-store.ts'

/** A mail that is leased, and the mailbox that its caps are counted by. */
export interface CountedMail {
  readonly entry: OutboxEntry
  /** The owner of the lease. */
  readonly owner: string
  readonly hashes: MailboxHashes
}

interface Circumstances {
  readonly now: Instant
  /** Whether mails to the address came back. */
  readonly undeliverable: boolean
  /** Whether another try of a mail takes the place of the one before, so that there is never a copy. */
  readonly replaces: boolean
}

const TRIED_BEFORE =
  'The mail may have been delivered: what became of the try before is not known, as the process that made it ended.'

type Slots = readonly MailSlot[]

/**
 * Counts the mail against its mailbox before it is sent; or, if a cap holds it back, has it wait.
 *
 * What was not delivered is taken back later. So an earlier try of this mail that still counts may have been delivered: its
 * process died, or was not answered. Another try may then be a copy, and waits for the caps like any other mail.
 */
export const takeSlot = async (
  { mailCaps, outbox }: Stores,
  { entry, owner, hashes }: CountedMail,
  { now, undeliverable, replaces }: Circumstances,
): Promise<boolean> => {
  const { id, kind, messageId } = entry
  // An owner has to know of a move that was not the owner's. It comes once in seven days.
  if (kind === 'moved') return true
  const { all, change } = await slotsOf(mailCaps, hashes)
  const others = notAfter(replaces ? withoutMail(all, messageId) : all, now)
  const isReminder = kind === 'reminder'
  const allowedAt = isReminder ? reminderAllowedAt(others, now) : mailCapAllowsAt(others, now, undeliverable)
  // It is not owed: if it cannot go now, it never goes.
  if (isReminder && (allowedAt > now || undeliverable)) {
    await outbox.settle(id, owner)
    return false
  }
  if (allowedAt > now) {
    await change(notAfter(all, now))
    const error = others.some((slot) => slot.messageId === messageId) ? TRIED_BEFORE : undefined
    await outbox.postpone(id, owner, { notBefore: allowedAt, attempted: false, error })
    return false
  }
  const slot = { at: now, messageId, ...(isReminder && { reminder: true as const }) }
  await change(withSlot(others, slot))
  return true
}

/** A try that was counted at `since` was not delivered. */
export const takeBackSlot = async (
  { mailCaps }: Pick<Stores, 'mailCaps'>,
  { entry: { messageId }, hashes }: Pick<CountedMail, 'entry' | 'hashes'>,
  since: Instant,
): Promise<void> => {
  const { all, change } = await slotsOf(mailCaps, hashes)
  await change(withoutSlot(all, { messageId, at: since }))
}

/** A try that was counted at `since` may have been delivered, at the latest at `at`. All that count for its mailbox then. */
export const moveSlot = async (
  { mailCaps }: Pick<Stores, 'mailCaps'>,
  { entry: { messageId }, hashes }: Pick<CountedMail, 'entry' | 'hashes'>,
  { since, at }: { readonly since: Instant; readonly at: Instant },
): Promise<Slots> => {
  const { all, change } = await slotsOf(mailCaps, hashes)
  const moved = all.map((slot) => (slot.messageId === messageId && slot.at === since ? { ...slot, at } : slot))
  await change(moved)
  return moved
}

const slotsOf = async (mailCaps: MailCapStore, { mailbox }: MailboxHashes) => {
  const all = await mailCaps.slots(mailbox)
  const change = async (after: Slots): Promise<void> => {
    if (all.length + after.length > 0) await mailCaps.put(mailbox, after)
  }
  return { all, change }
}
