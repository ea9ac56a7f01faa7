import { noteRefusal } from '../feedback/deliverability.ts'
import { judgeFailure } from '../feedback/judge-failure.ts'
import type { Instant } from '../instant.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { isGivenUp, LEAST_COPIES, LEAST_TRIES, nextAttemptAt } from './backoff.ts'
import { moveSlot, takeBackSlot } from './counted-mails.ts'
import type { DueMail } from './due-mails.ts'
import { copyAllowedAt } from './mail-cap.ts'
import { MailRefusedPermanently, MailUnanswered } from './mail-transport.ts'
import type { OutboxEntry } from './outbox-store.ts'
import { describeFailure } from './outcomes.ts'

/** A mail that was tried, and not taken as far as is known. */
export interface DeliveryFailure {
  readonly entry: OutboxEntry
  readonly error: unknown
  readonly parked: boolean
}

type Ports = Needs<'randomness'>

interface FailedMail {
  readonly due: DueMail
  readonly error: unknown
  /** When it failed. */
  readonly at: Instant
}

/** Has the mail wait for its next try, or for a person; and takes back what it counts for, unless it may have arrived. */
export const storeFailure = async (
  stores: Stores,
  ports: Ports,
  { due, error, at }: FailedMail,
): Promise<DeliveryFailure> => {
  const { entry, owner, since } = due
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
  if (!mayHaveArrived && !undeliverable) await takeBackSlot(stores, due, since)
  const notBefore = mayHaveArrived
    ? copyAllowedAt(entry, await moveSlot(stores, due, { since, at }), at)
    : nextAttemptAt(entry.attempts, at, ports.randomness.fraction())
  if (parked) await stores.outbox.park(entry.id, owner, message)
  else await stores.outbox.postpone(entry.id, owner, { notBefore, attempted: true, error: message })
  return { entry, error, parked }
}
