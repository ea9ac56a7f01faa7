import type { AuditAction } from '../access/access-control.ts'
import { type Caller, mayKnowOfFeed } from '../access/caller.ts'
import { DONE } from '../audit/audit-store.ts'
import { auditEntry } from '../audit/audit-trail.ts'
import { DAY, type Instant } from '../instant.ts'
import { sumsOf } from '../numbers/number-store.ts'
import type { Digests } from '../platform/digests.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import { mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Needs } from '../use-case.ts'
import { endsFailing } from './deliverability.ts'
import { effectOf, type FeedbackSubject } from './feedback-effect.ts'
import { type Feedback, OLDEST_FEEDBACK } from './feedback-item.ts'
import type { FeedbackKind } from './feedback-store.ts'

/** What a recorder of feedback reads outside of its unit of work. */
export type FeedbackReading = 'deliverability' | 'numbers' | 'subscriptions'

type Ports = Needs<'clock' | 'digests' | 'randomness' | 'unitOfWork', FeedbackReading>

export interface FeedbackOutcome {
  /** Addresses that get no more mail of the caller. */
  readonly addresses: number
  /** How many items wait for an administrator. */
  readonly waiting: number
}

/** How long the same report is known. */
const SEEN = 30 * DAY

/** Addresses that a caller may take from its mails in a day, however few recipients there are. */
const FREE = 100
/** Of this many recipients, one a day is in order: 5 %. */
const RECIPIENTS_FOR_ONE = 20

/** Carries out feedback, whether a sender, a provider or a mail server reports it. */
export class FeedbackRecorder {
  readonly #ports: Ports

  constructor(ports: Ports) {
    this.#ports = ports
  }

  /** In one unit of work, with one record in the trail. What is not in the caller's feeds changes nothing. */
  async record(reported: readonly Feedback[], caller: Caller): Promise<FeedbackOutcome> {
    const items = await this.#worthAUnit(reported)
    if (items.length === 0) return { addresses: 0, waiting: 0 }
    for (let most: number | undefined; ; most = await this.#allowanceOf(caller)) {
      const outcome = await this.#carryOut(items, caller, most)
      if (outcome !== undefined) return outcome
    }
  }

  /** Undefined, and nothing is done, if it takes more than the addresses that are free, and `most` is not known. */
  async #carryOut(
    items: readonly Feedback[],
    caller: Caller,
    most: number | undefined,
  ): Promise<FeedbackOutcome | undefined> {
    const { clock, unitOfWork } = this.#ports
    const now = clock.now()
    const today = Math.floor(now / DAY)
    return await unitOfWork.run(async (stores) => {
      const before = await stores.feedback.counted(caller.id, today)
      if (most === undefined && before + items.length > FREE) return undefined
      let [addresses, waiting] = [0, 0]
      for (const item of items) {
        if (item.at < now - OLDEST_FEEDBACK) continue
        const subject = await this.#subjectOf(stores, item, caller)
        if (subject === undefined || !(await this.#isNew(stores, item, caller, now))) continue
        const effect = await effectOf(stores, this.#ports, caller, subject, item)
        if (effect?.weighs && item.kind !== 'delivery' && before + addresses >= (most ?? FREE)) {
          await stores.feedback.add(waitingOf({ ...item, kind: item.kind }, subject, caller, now))
          waiting++
        } else {
          await effect?.carryOut()
          if (effect?.weighs) addresses++
        }
      }
      if (addresses > 0) await stores.feedback.count(caller.id, today, addresses)
      const action: AuditAction = 'feedback.record'
      await stores.audit.append({ ...auditEntry(now, caller, { action }, DONE), count: items.length })
      return { addresses, waiting }
    })
  }

  async #allowanceOf({ feeds }: Caller): Promise<number> {
    const { confirmed } = sumsOf(await this.#ports.readers.numbers.current(feeds))
    return Math.max(FREE, Math.floor(confirmed / RECIPIENTS_FOR_ONE))
  }

  /** Nearly every mail is delivered: what changes nothing leaves no trace, in the trail either. */
  async #worthAUnit(items: readonly Feedback[]): Promise<readonly Feedback[]> {
    const { deliverability, subscriptions } = this.#ports.readers
    const found: Feedback[] = []
    for (const item of items) {
      const { kind, about, at } = item
      if (kind !== 'delivery') found.push(item)
      else {
        const key = 'addressKey' in about ? about : await subscriptions.find(about.subscription)
        const known = key && (await deliverability.find(addressHash(this.#ports.digests, key.addressKey)))
        if (endsFailing(known, at)) found.push(item)
      }
    }
    return found
  }

  /** Undefined if it does not exist for the caller. */
  async #subjectOf(stores: Stores, { about }: Feedback, caller: Caller): Promise<FeedbackSubject | undefined> {
    const { digests } = this.#ports
    if ('addressKey' in about) {
      const { address, mailbox } = mailboxHashes(digests, about.addressKey)
      const found = await stores.subscriptions.ofAddress(address)
      const subscription = found.find(({ feed }) => mayKnowOfFeed(caller, feed))
      return subscription || caller.feeds === undefined
        ? { address, mailbox, addressKey: about.addressKey, subscription }
        : undefined
    }
    const subscription = await stores.subscriptions.find(about.subscription)
    if (subscription === undefined || !mayKnowOfFeed(caller, subscription.feed)) return undefined
    const { addressKey } = subscription
    const { address, mailbox } = mailboxHashes(digests, addressKey)
    return { address, mailbox, addressKey, subscription }
  }

  async #isNew(stores: Stores, { providerId }: Feedback, { id }: Caller, now: number): Promise<boolean> {
    return providerId === undefined || (await isNewReport(stores, this.#ports.digests, `${id} ${providerId}`, now))
  }
}

/** Whether what this text names was not reported before, for as long as that is known. */
export const isNewReport = async (
  { feedback }: Pick<Stores, 'feedback'>,
  digests: Digests,
  text: string,
  now: Instant,
): Promise<boolean> =>
  // As a hash: it is somebody else's text, and may hold an address.
  await feedback.see(digests.hmac('feedback-id', text).slice(0, 32), now + SEEN)

const waitingOf = (
  { kind, meaning, status, at }: Feedback & { readonly kind: FeedbackKind },
  { address, mailbox, subscription }: FeedbackSubject,
  { id: caller, channel, feeds }: Caller,
  since: number,
) => ({
  caller,
  channel,
  feeds,
  kind,
  address,
  mailbox,
  subscription: subscription?.id,
  permanent: meaning === 'permanent',
  status,
  at,
  since,
})
