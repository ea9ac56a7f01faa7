import { subscriptionEvent } from '../events/event-store.ts'
import { noteStoredFields } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { counted, type NumberChange } from '../numbers/counted.ts'
import type { OutboxEntry, PendingMail } from '../outbox/outbox-store.ts'
import { newMail, takeBack } from '../outbox/pending-mail.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { SignUpChanges } from './decide-sign-up.ts'
import type { LoadedSignUp, LoadedSignUps } from './load-sign-ups.ts'
import type { Means } from './means.ts'

export interface DecidedSignUp extends LoadedSignUp {
  readonly changes: SignUpChanges
}

/** Writes the changes of these sign-ups, set by set, in the order in which they were decided. */
export const writeSignUps = async (
  stores: Stores,
  { feeds, queued }: Pick<LoadedSignUps, 'feeds' | 'queued'>,
  decided: readonly DecidedSignUp[],
  ports: Means,
  now: Instant,
): Promise<void> => {
  // One mail may be about several of them.
  const outdated = new Map<OutboxEntry, SubscriptionId[]>()
  for (const { changes } of decided)
    for (const id of changes.outdated) {
      const mail = queued.get(id)
      if (mail !== undefined) outdated.set(mail, [...(outdated.get(mail) ?? []), id])
    }
  for (const [mail, ids] of outdated) await takeBack(stores, mail, ids)
  const mails = await stores.outbox.addMany(mailsOf(decided, ports, now))
  const numbers = mails.values()
  const subscriptions = new Map<SubscriptionId, Subscription>()
  const ledger = new Ledger()
  for (const { changes, signUp } of decided) {
    const mail = changes.mail && numbers.next().value
    const mailed = new Set(changes.mailed)
    for (const one of changes.subscriptions) {
      const { lastMail } = subscriptions.get(one.id) ?? one
      subscriptions.set(one.id, { ...one, lastMail: mailed.has(one.id) ? mail : lastMail })
    }
    for (const { id, record, repeats } of changes.consents) ledger.add(id, record, repeats)
    for (const { feed, fields } of signUp.feeds) {
      const standing = feeds.get(feed)
      if (standing !== undefined && fields !== undefined) await noteStoredFields(stores, standing, fields)
    }
  }
  await stores.subscriptions.put(...subscriptions.values())
  for (const { id, record } of ledger.appended) await stores.consents.append(id, record)
  for (const [id, times] of ledger.repeated) await stores.consents.countRepetition(id, times)
  await stores.events.append(
    ...decided.flatMap(({ changes: { began }, request: { traceContext } }) =>
      began.map((one) => ({ ...subscriptionEvent('subscription.pending', one, now), traceContext })),
    ),
  )
  for (const { changes } of decided)
    if (changes.mail?.signUpGroup !== undefined)
      await stores.signUpGroups.add(
        changes.mail.signUpGroup,
        changes.members,
        changes.mail.expiresAt ?? now + ports.linkLife,
      )
  await stores.numbers.add(decided.flatMap((one) => turnedAway(one, now)))
}

const mailsOf = (decided: readonly DecidedSignUp[], ports: Means, now: Instant): PendingMail[] =>
  decided.flatMap(({ changes: { mail }, hashes: { address }, request: { traceContext } }) =>
    mail === undefined ? [] : [{ ...newMail(ports, { ...mail, address }, now), traceContext }],
  )

const turnedAway = ({ changes: { turnedAwayBy }, request }: DecidedSignUp, now: Instant): NumberChange[] => {
  if (turnedAwayBy !== 'suppressed' && turnedAwayBy !== 'mail-cap') return []
  return [counted(`turned-away:${turnedAwayBy}`, request.asked.feeds[0]?.feed, now)]
}

/** What is appended to the consent ledgers: a repetition of what is appended here raises its count here. */
class Ledger {
  readonly appended: { id: SubscriptionId; record: ConsentRecord }[] = []
  readonly repeated = new Map<SubscriptionId, number>()
  readonly #last = new Map<SubscriptionId, number>()

  add(id: SubscriptionId, record: ConsentRecord, repeats: boolean): void {
    const last = this.#last.get(id)
    if (!repeats) {
      this.#last.set(id, this.appended.push({ id, record }) - 1)
    } else if (last === undefined) {
      this.repeated.set(id, (this.repeated.get(id) ?? 0) + 1)
    } else {
      const one = this.appended[last]
      if (one !== undefined) this.appended[last] = { id, record: { ...one.record, count: one.record.count + 1 } }
    }
  }
}
