import { DAY, type Instant, MINUTE } from '../instant.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'

/** A try of a mail that went, or may have gone, to an address. */
export interface MailSlot {
  readonly at: Instant
  readonly messageId: string
  /** It was a reminder, which holds back no mail that is owed. */
  readonly reminder?: true | undefined
}

interface Cap {
  readonly most: number
  readonly within: number
}

// 'A day' and 'a week' are spans, not calendar days.
export const MAIL_CAPS = [
  { most: 1, within: 10 * MINUTE },
  { most: 3, within: DAY },
  { most: 6, within: 7 * DAY },
] as const

/** To an address that is undeliverable, as far as is known: one, which its reader may follow. */
const CAP_OF_UNDELIVERABLE = { most: 1, within: 7 * DAY } as const

/** Those that hold for an address. */
export const mailCaps = (undeliverable: boolean): readonly Cap[] =>
  undeliverable ? [...MAIL_CAPS, CAP_OF_UNDELIVERABLE] : MAIL_CAPS

const LONGEST_SPAN = 7 * DAY

/** When the next mail may go to the address that these went to; now, or later. Reminders among them do not count. */
export const mailCapAllowsAt = (slots: readonly MailSlot[], now: Instant, undeliverable = false): Instant => {
  const times = clampedTo(slots, now)
    .filter(({ reminder }) => !reminder)
    .map(({ at }) => at)
    .sort((a, b) => b - a)
  return mailCaps(undeliverable).reduce((earliest, { most, within }) => {
    const limiting = times[most - 1]
    return limiting === undefined ? earliest : Math.max(earliest, limiting + within)
  }, now)
}

/** When a reminder, or a copy, may go there: for that, every mail counts. */
export const reminderAllowedAt = (slots: readonly MailSlot[], now: Instant): Instant =>
  mailCapAllowsAt(
    slots.map((slot) => ({ ...slot, reminder: undefined })),
    now,
  )

export const mailCapAllows = (slots: readonly MailSlot[], now: Instant): boolean => mailCapAllowsAt(slots, now) <= now

/**
 * The slots; one later than `now` is of a clock that was set back since, and becomes `now`. A caller that postpones a mail
 * must store them so, or they would hold it until the clock is there again, and not just for a span.
 */
export const clampedTo = (slots: readonly MailSlot[], now: Instant): readonly MailSlot[] =>
  slots.map((slot) => (slot.at > now ? { ...slot, at: now } : slot))

/** The slots after this try of a mail has begun. */
export const withSlot = (slots: readonly MailSlot[], slot: MailSlot): readonly MailSlot[] => [
  ...withoutSlot(slots, slot).filter(({ at }) => slot.at - at < LONGEST_SPAN),
  slot,
]

/** Without this try of a mail; others of the same mail stay. */
export const withoutSlot = (
  slots: readonly MailSlot[],
  { messageId, at }: Pick<MailSlot, 'messageId' | 'at'>,
): readonly MailSlot[] => slots.filter((slot) => slot.messageId !== messageId || slot.at !== at)

/** Without any try of the mail. */
export const withoutMail = (slots: readonly MailSlot[], messageId: string): readonly MailSlot[] =>
  slots.filter((slot) => slot.messageId !== messageId)

/**
 * When a mail may be tried again that may have been delivered just now: when a further mail may go to its address, where
 * each try counts as a mail. A mail that has no slots, as it is outside the caps, keeps to them by itself.
 */
export const copyAllowedAt = (
  { messageId, attempts }: { readonly messageId: string; readonly attempts: number },
  slots: readonly MailSlot[],
  now: Instant,
): Instant => {
  const isCounted = slots.some((slot) => slot.messageId === messageId)
  return reminderAllowedAt(isCounted ? slots : Array.from({ length: attempts }, () => ({ at: now, messageId })), now)
}

export const slotsOf = async (
  caps: Pick<MailCapStore, 'slotsOf'>,
  address: AddressHash,
): Promise<readonly MailSlot[]> => (await caps.slotsOf([address])).get(address) ?? []

/** Those of several, as they count now: what `clampedTo` changes is stored so, or it would count anew at every look. */
export const slotsAt = async (
  caps: Pick<MailCapStore, 'slotsOf' | 'put'>,
  addresses: readonly AddressHash[],
  now: Instant,
): Promise<ReadonlyMap<AddressHash, readonly MailSlot[]>> => {
  const slots = await caps.slotsOf(addresses)
  const later = [...slots].filter(([, some]) => some.some(({ at }) => at > now))
  if (later.length === 0) return slots
  const changed = new Map(later.map(([address, some]) => [address, clampedTo(some, now)]))
  await caps.put(changed)
  return new Map([...slots, ...changed])
}

/** The times of recent mails to an address, which is known by keyed hash only; over all feeds and all instances. */
export interface MailCapStore {
  /** Without those that are unknown. */
  slotsOf(addresses: readonly AddressHash[]): Promise<ReadonlyMap<AddressHash, readonly MailSlot[]>>
  /** Replaces what was known of these addresses; the order of the slots is kept. */
  put(changed: ReadonlyMap<AddressHash, readonly MailSlot[]>): Promise<void>
  /** Forgets up to `limit` addresses whose last slot is before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}
