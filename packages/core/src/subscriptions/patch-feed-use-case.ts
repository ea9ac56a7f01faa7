import type { Caller } from '../access/caller.ts'
import { PreconditionFailed } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import { readGiven } from '../read-all.ts'
import { UseCase } from '../use-case.ts'
import { type Feed, requireNamedFeed } from './feed.ts'
import { type FeedFields, feedFieldReaders, newWording, PutFeedUseCase, requireLasting } from './put-feed-use-case.ts'

/** The fields of a feed, unparsed. What is not given stays as it is; null is the default. */
export type FeedPatch = { readonly [Name in keyof FeedFields]: FeedFields[Name] | null }

export interface PatchFeedCommand extends FeedPatch {
  readonly name: string
  readonly precondition?: Precondition<Feed> | undefined
}

export class PatchFeedUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock' | 'domainNames'> {
  static readonly permission = PutFeedUseCase.permission
  static readonly action = PutFeedUseCase.action

  /**
   * Changes some fields of a feed; where none of them is different, nothing is stored or recorded.
   * @throws {FeedNotFound} there is no such feed
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   * @throws {FeedInUse} it is being deleted
   */
  async execute(command: PatchFeedCommand, caller: Caller): Promise<Feed> {
    const attempt = this.ports.access.require(caller, PatchFeedUseCase, command.name)
    return await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const current = await requireNamedFeed(feeds, command.name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { name: _, precondition: __, ...given } = command
      const { wording, ...fields } = readGiven(given, feedFieldReaders(current.name, this.ports.domainNames))
      requireLasting(current)
      const now = this.ports.clock.now()
      const feed: Feed = { ...current, ...fields, ...newWording(current, wording, now) }
      if (JSON.stringify(feed) === JSON.stringify(current)) return current
      const changed = { ...feed, updatedAt: now }
      await feeds.put(changed)
      await this.ports.trail.done(audit, caller, attempt)
      return changed
    })
  }
}
