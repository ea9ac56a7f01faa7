import type { Caller } from '../access/caller.ts'
import { parseReason } from '../audit/reason.ts'
import { FeedInUse, FeedNotFound, PreconditionFailed } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { Precondition } from '../precondition.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { asFeedName, DEFAULT_FEED, type Feed, type FeedName } from './feed.ts'

export interface DeleteFeedCommand {
  readonly name: string
  /** Whether its subscriptions go, too; unless they do, a feed that has any stays. */
  readonly subscriptions?: 'keep' | 'erase' | undefined
  /** Why, for the trail. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<Feed> | undefined
  /**
   * Called after every committed step, with the number of subscriptions it erased. If it throws, that stops the
   * deletion there; repeating the command continues it.
   */
  readonly onProgress?: ((erased: number) => void) | undefined
}

export interface FeedDeletion {
  readonly name: FeedName
  /** By this command; others may have helped, or begun. */
  readonly subscriptionsErased: number
}

/** So many subscriptions go with one unit of work: others wait for it. */
const BATCH = 50

type Step = { readonly gone: true } | { readonly gone: false; readonly erased: number; readonly mails: string[] }

const GONE = { gone: true } as const

export class DeleteFeedUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'erasure' | 'metrics' | 'transport'
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
    const attempt = this.ports.access.require(caller, DeleteFeedUseCase, command.name)
    try {
      const marked = await this.ports.unitOfWork.run((stores) => this.#begin(stores, command, caller))
      const subscriptionsErased = marked.gone ? 0 : await this.#empty(marked, command, caller)
      return { name: marked.name, subscriptionsErased }
    } catch (error) {
      if (error instanceof FeedInUse) this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }

  async #begin(stores: Stores, command: DeleteFeedCommand, caller: Caller): Promise<Marked> {
    const name = asFeedName(command.name)
    const feed = name && (await stores.feeds.find(name))
    if (!feed) throw new FeedNotFound()
    if (command.precondition?.(feed) === false) throw new PreconditionFailed()
    const reason = parseReason(command.reason)
    if (feed.name === DEFAULT_FEED) throw new FeedInUse(`The feed '${DEFAULT_FEED}' always stays. Close it instead.`)
    const attempt = { action: DeleteFeedUseCase.action, target: feed.name } as const
    if (!(await hasSubscriptions(stores, feed.name))) {
      await stores.feeds.remove(feed.name)
      await this.ports.trail.done(stores.audit, caller, attempt, reason)
      return { name: feed.name, gone: true }
    }
    if (command.subscriptions !== 'erase') throw new FeedInUse(HAS_SUBSCRIPTIONS)
    const now = this.ports.clock.now()
    const since = feed.deletingSince ?? now
    if (feed.deletingSince === undefined) {
      await stores.feeds.put({ ...feed, deletingSince: since, updatedAt: now })
      await this.ports.trail.done(stores.audit, caller, attempt, because(reason, 'begun'))
    }
    return { name: feed.name, gone: false, since }
  }

  async #empty(marked: Marking, command: DeleteFeedCommand, caller: Caller): Promise<number> {
    let total = 0
    for (;;) {
      const step = await this.ports.unitOfWork.run((stores) =>
        this.#step(stores, marked, total, command.reason, caller),
      )
      if (step.gone) return total
      total += step.erased
      this.ports.metrics.reached('erased', step.erased)
      await this.ports.transport.forget(step.mails)
      command.onProgress?.(step.erased)
    }
  }

  async #step(
    stores: Stores,
    { name, since }: Marking,
    before: number,
    reason: string | undefined,
    caller: Caller,
  ): Promise<Step> {
    // A concurrent deletion may have finished first, and a new feed may exist since.
    if ((await stores.feeds.find(name))?.deletingSince !== since) return GONE
    const { items } = await stores.subscriptions.list({ feed: name, after: 0, limit: BATCH })
    if (items.length === 0) {
      await stores.feeds.remove(name)
      const attempt = { action: DeleteFeedUseCase.action, target: name } as const
      await this.ports.trail.done(stores.audit, caller, attempt, because(reason, `subscriptions erased: ${before}`))
      return GONE
    }
    const mails: string[] = []
    for (const subscription of items) mails.push(...(await this.ports.erasure.of(stores, subscription)))
    return { gone: false, erased: items.length, mails }
  }
}

/** A feed that is being deleted, and since when. */
interface Marking {
  readonly name: FeedName
  readonly since: Instant
}

type Marked = { readonly name: FeedName; readonly gone: true } | (Marking & { readonly gone: false })

const HAS_SUBSCRIPTIONS =
  'This feed has subscriptions. Delete it together with them (subscriptions: erase), or close it instead.'

const hasSubscriptions = async ({ subscriptions }: Stores, feed: FeedName): Promise<boolean> =>
  (await subscriptions.list({ feed, after: 0, limit: 1 })).items.length > 0

const because = (reason: string | undefined, fact: string): string =>
  reason === undefined ? fact : `${reason} (${fact})`
