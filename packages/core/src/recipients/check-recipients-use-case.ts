import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import { UseCase } from '../use-case.ts'
import { recipientFeed } from './recipient-feed.ts'
import { unmailable } from './unmailable.ts'

/** The most that is asked for at once. */
export const MOST_CHECKED = 1_000

export interface CheckRecipientsCommand {
  readonly feed: string
  /** Ids of subscriptions, 1 to `MOST_CHECKED`; one that comes twice is answered once. */
  readonly ids: readonly number[]
  readonly precondition?: Precondition<unknown> | undefined
}

export const SKIPPED_BECAUSE = ['unknown', 'pending', 'ended', 'blocked', 'undeliverable'] as const

export type SkippedBecause = (typeof SKIPPED_BECAUSE)[number]

export interface CheckedRecipients {
  readonly send: readonly SubscriptionId[]
  readonly skip: readonly { readonly id: SubscriptionId; readonly because: SkippedBecause }[]
}

/** Which of these recipients may be written to now: asked right before sending, since a list is old as soon as it is read. */
export class CheckRecipientsUseCase extends UseCase<
  'access' | 'reads' | 'clock' | 'digests',
  'feeds' | 'subscriptions' | 'suppressions' | 'deliverability'
> {
  static readonly permission = 'recipients:read'
  static readonly action = 'recipient.check'

  /**
   * Each id once, in the order of the first time. What belongs to another feed is unknown.
   * @throws {FeedNotFound} also if it is being deleted, or if the caller is bound to others
   * @throws {InvalidInput} there are none or too many ids, or something else among them
   */
  async execute(command: CheckRecipientsCommand, caller: Caller): Promise<CheckedRecipients> {
    const attempt = await this.ports.access.require(caller, CheckRecipientsUseCase, command.feed)
    const { readers, digests, clock } = this.ports
    const feed = await recipientFeed(readers.feeds, command.feed, caller)
    requireCondition(command.precondition, feed)
    const ids = parseIds(command.ids)
    const found = new Map<SubscriptionId, Subscription>()
    for (const one of await readers.subscriptions.findMany(ids)) if (one.feed === feed.name) found.set(one.id, one)
    const confirmed = [...found.values()].filter(({ status }) => status === 'confirmed')
    const problemOf = await unmailable(
      readers,
      digests,
      confirmed.map(({ addressKey }) => addressKey),
    )
    const now = clock.now()
    const becauseOf = (id: SubscriptionId): SkippedBecause | undefined => {
      const one = found.get(id)
      if (one === undefined || isExpired(one, now)) return 'unknown'
      return one.status === 'confirmed' ? problemOf(one.addressKey) : one.status
    }
    const send: SubscriptionId[] = []
    const skip: { id: SubscriptionId; because: SkippedBecause }[] = []
    for (const id of ids) {
      const because = becauseOf(id)
      if (because === undefined) send.push(id)
      else skip.push({ id, because })
    }
    this.ports.reads.note(caller, attempt)
    return { send, skip }
  }
}

const parseIds = (ids: readonly unknown[]): SubscriptionId[] => {
  if (ids.length < 1 || ids.length > MOST_CHECKED)
    throw new InvalidInput([{ field: 'ids', message: `Give 1 to ${MOST_CHECKED} ids.` }])
  if (!ids.every((id) => typeof id === 'number' && Number.isSafeInteger(id) && id > 0))
    throw new InvalidInput([{ field: 'ids', message: 'Give whole numbers: the ids of subscriptions.' }])
  return [...new Set(ids as readonly number[])]
}
