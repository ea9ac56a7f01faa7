import type { Caller } from '../access/caller.ts'
import { parseReason } from '../audit/reason.ts'
import type { Instant } from '../instant.ts'
import { forgetMails } from '../outbox/forget-mails.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { DEFAULT_FEED, type Feed, type FeedName, requireNamedFeed } from './feed.ts'
import { FeedInUse } from './feed-in-use.ts'

export interface DeleteFeedCommand {
  readonly name: string
  /** Whether its subscriptions go, too; unless they do, a feed that has any stays. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  /** Why, for the trail. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<Feed> | undefined
}

export interface FeedDeletion {
  readonly name: FeedName
  /** By this command; others may have helped, or begun. */
  readonly subscriptionsErased: number
}

/** So many subscriptions go with one unit of work: others wait for it. */
const BATCH = 50

export class DeleteFeedUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'clock' | 'erasure' | 'transport'
> {
  static readonly permission = 'feeds:write'
  static readonly action = 'feed.delete'

  /**
   * Deletes the feed. With its subscriptions it takes nothing from the first moment on, and they go step by step, in
   * bounded memory; if it is interrupted, repeating the command continues it.
   * @throws {InsufficientPermissions} the caller may not, whether or not there is one
   * @throws {FeedNotFound}
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long
   * @throws {FeedInUse} it is `default`, or has subscriptions that are not to be erased
   */
  async execute(command: DeleteFeedCommand, caller: Caller): Promise<FeedDeletion> {
    const attempt = await this.ports.access.require(caller, DeleteFeedUseCase, command.name)
    const record: Recording = (stores, reason) => this.ports.trail.done(stores.audit, caller, attempt, reason)
    try {
      await this.ports.requests.settled()
      const { name, since } = await this.ports.unitOfWork.run((stores) => this.#begin(stores, command, record))
      const subscriptionsErased = since === undefined ? 0 : await this.#empty({ name, since }, command, record)
      return { name, subscriptionsErased }
    } catch (error) {
      if (error instanceof FeedInUse) this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }

  /** The feed, and since when it is being deleted; undefined if it is gone already. */
  async #begin(stores: Stores, command: DeleteFeedCommand, record: Recording): Promise<Marked> {
    const feed = await requireNamedFeed(stores.feeds, command.name)
    const { name } = feed
    requireCondition(command.precondition, feed)
    const reason = parseReason(command.reason)
    if (name === DEFAULT_FEED) throw new FeedInUse(`The feed '${DEFAULT_FEED}' always stays. Close it instead.`)
    const { items } = await stores.subscriptions.list({ feed: name, after: 0, limit: 1 })
    if (items.length === 0) {
      await stores.feeds.remove(name)
      if (command.subscriptions === 'erase') await stores.numbers.forget(name)
      await record(stores, reason)
      return { name, since: undefined }
    }
    if (command.subscriptions !== 'erase') throw new FeedInUse(HAS_SUBSCRIPTIONS, { erasable: true })
    if (feed.deletingSince !== undefined) return { name, since: feed.deletingSince }
    const now = this.ports.clock.now()
    await stores.feeds.put({ ...feed, deletingSince: now, updatedAt: now })
    await record(stores, because(reason, 'begun'))
    return { name, since: now }
  }

  async #empty(marked: Marked, { reason }: DeleteFeedCommand, record: Recording): Promise<number> {
    for (let total = 0; ; ) {
      const finish = (stores: Stores) => record(stores, because(reason, `subscriptions erased: ${total}`))
      const step = await this.ports.unitOfWork.run((stores) => this.#step(stores, marked, finish))
      if (step === undefined) return total
      total += step.erased
      await forgetMails(this.ports.transport, step.mails)
    }
  }

  /** Undefined if the feed is gone. */
  async #step(stores: Stores, { name, since }: Marked, finish: (stores: Stores) => Promise<unknown>) {
    // A concurrent deletion may have finished first, and a new feed may exist since.
    if ((await stores.feeds.find(name))?.deletingSince !== since) return undefined
    const { items } = await stores.subscriptions.list({ feed: name, after: 0, limit: BATCH })
    if (items.length === 0) {
      await stores.feeds.remove(name)
      await stores.numbers.forget(name)
      await finish(stores)
      return undefined
    }
    const mails: string[] = []
    const erased = new Set<SubscriptionId>()
    for (const subscription of items) mails.push(...(await this.ports.erasure.withFeed(stores, subscription, erased)))
    return { erased: erased.size, mails }
  }
}

interface Marked {
  readonly name: FeedName
  readonly since: Instant | undefined
}

/** Notes the deletion in the audit trail. */
type Recording = (stores: Stores, reason: string | undefined) => Promise<unknown>

const HAS_SUBSCRIPTIONS = 'This feed has subscriptions. Have them erased, too, or close it instead.'

const because = (reason: string | undefined, fact: string): string =>
  reason === undefined ? fact : `${reason} (${fact})`
