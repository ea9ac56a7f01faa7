import { noteRefusal } from '../feedback/deliverability.ts'
import { judgeFailure } from '../feedback/judge-failure.ts'
import type { Instant } from '../instant.ts'
import { counted } from '../numbers/counted.ts'
import { plannedReminder } from '../reminders/planned-reminder.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { isGivenUp, LEAST_COPIES, LEAST_TRIES, nextAttemptAt } from './backoff.ts'
import type { DueMail } from './claim-mails.ts'
import { copyAllowedAt, type MailSlot, withoutSlot } from './mail-cap.ts'
import { MailSlots } from './mail-slots.ts'
import { MailRefusedPermanently, MailUnanswered } from './mail-transport.ts'
import type { GivenBack, OutboxEntry } from './outbox-store.ts'
import { describeFailure } from './outcomes.ts'

/** What became of a mail: the relay took it, or not at this time for this error, or it was never begun. */
export type MailOutcome =
  | { readonly due: DueMail; readonly is: 'sent' }
  | { readonly due: DueMail; readonly is: 'failed'; readonly error: unknown; readonly at: Instant }
  | { readonly due: DueMail; readonly is: 'unbegun'; readonly notBefore: Instant }

/** A mail that was tried, and not taken as far as is known. */
export interface DeliveryFailure {
  readonly entry: OutboxEntry
  readonly error: unknown
  readonly parked: boolean
}

export interface SettledMails {
  readonly failures: readonly DeliveryFailure[]
  /** Whose subscription was erased while they were on the way: nothing of them may be kept. */
  readonly orphans: readonly string[]
}

type Ports = Needs<'clock' | 'jumpGuardedClock' | 'randomness' | 'transport'>

/** Stores the outcomes of many mails, and what they change of caps, reminders, kept mails and deliverability. */
export const settleMails = async (
  stores: Stores,
  ports: Ports,
  outcomes: readonly MailOutcome[],
): Promise<SettledMails> => {
  const sent = outcomes.flatMap((outcome) => (outcome.is === 'sent' ? [outcome.due] : []))
  const others = outcomes.filter((outcome) => outcome.is !== 'sent')
  const orphans = sent.length > 0 ? await storeSent(stores, ports, sent) : []
  const slots = await MailSlots.of(
    stores.mailCaps,
    others.map(({ due }) => due.mailbox),
  )
  const failures: DeliveryFailure[] = []
  const givenBack: (GivenBack & { readonly owner: string })[] = []
  for (const outcome of others) {
    const { owner, entry } = outcome.due
    if (outcome.is === 'unbegun') {
      takeBack(slots, outcome.due)
      givenBack.push({ owner, id: entry.id, notBefore: outcome.notBefore, attempted: false })
      continue
    }
    const { parked, notBefore, message } = await judgeTry(stores, ports, slots, outcome)
    givenBack.push({ owner, id: entry.id, notBefore: parked ? undefined : notBefore, attempted: true, error: message })
    failures.push({ entry, error: outcome.error, parked })
  }
  await slots.write()
  for (const [owner, some] of Map.groupBy(givenBack, (one) => one.owner)) await stores.outbox.giveBack(owner, some)
  return { failures, orphans }
}

/** Gives the ids of those messages whose subscription was erased while they were on the way. */
const storeSent = async (stores: Stores, ports: Ports, sent: readonly DueMail[]): Promise<string[]> => {
  const { subscriptions, reminders, keptMails, outbox } = stores
  const { keepsMails } = ports.transport
  const looked = sent.filter(({ mail }) => keepsMails || mail.feed.remindAfter !== undefined)
  const ids = [...new Set(looked.map(({ entry }) => entry.subscriptionId))]
  const found = new Map((ids.length > 0 ? await subscriptions.findMany(ids) : []).map((one) => [one.id, one]))
  const now = ports.jumpGuardedClock.now()
  const orphans: string[] = []
  for (const { entry, mail } of looked) {
    const subscription = found.get(entry.subscriptionId)
    const reminder = plannedReminder(entry, mail, subscription, now)
    if (reminder) await reminders.plan(reminder)
    if (!keepsMails) continue
    if (subscription) await keptMails.add(subscription.id, entry.messageId)
    else orphans.push(entry.messageId)
  }
  // Between those who signed up and those who confirmed, only mails count that ask for that, in each feed; once, so no reminder.
  const asking = sent.filter(({ entry: { kind } }) => kind === 'confirmation')
  const feeds = asking.flatMap(({ mail }) => mail.feeds ?? [mail.feed])
  await stores.numbers.add(feeds.map(({ name }) => counted('mailed', name, ports.clock.now())))
  // They have arrived, also if another worker has taken them over meanwhile.
  await outbox.remove(...sent.map(({ entry }) => entry.id))
  return orphans
}

/** What is to become of a mail that failed; and takes back what it counts for, unless it may have arrived. */
const judgeTry = async (
  stores: Stores,
  ports: Ports,
  slots: MailSlots,
  { due, error, at }: Extract<MailOutcome, { is: 'failed' }>,
) => {
  const { entry, mailbox, since } = due
  const mayHaveArrived = error instanceof MailUnanswered
  const message = describeFailure(error)
  const tries = mayHaveArrived ? LEAST_COPIES : LEAST_TRIES
  const parked = error instanceof MailRefusedPermanently || isGivenUp(entry, at, tries)
  const status = error instanceof MailRefusedPermanently ? error.recipientStatus : undefined
  let undeliverable = false
  if (status !== undefined) {
    const judgement = judgeFailure({ permanent: false, status, diagnostic: message })
    undeliverable = await noteRefusal(stores, entry, { ...judgement, at })
  }
  // To an address that is undeliverable, a try counts as a mail.
  if (!mayHaveArrived && !undeliverable) takeBack(slots, due)
  if (!mayHaveArrived)
    return { parked, message, notBefore: nextAttemptAt(entry.attempts, at, ports.randomness.fraction()) }
  const isThisTry = (slot: MailSlot) => slot.messageId === entry.messageId && slot.at === since
  // It may have been delivered at the latest now.
  const moved = slots.of(mailbox).map((slot) => (isThisTry(slot) ? { ...slot, at } : slot))
  slots.change(mailbox, moved)
  return { parked, message, notBefore: copyAllowedAt(entry, moved, at) }
}

/** The try was not delivered. */
const takeBack = (slots: MailSlots, { entry: { messageId }, mailbox, since }: DueMail): void =>
  slots.change(mailbox, withoutSlot(slots.of(mailbox), { messageId, at: since }))
