import type { Caller } from '../access/caller.ts'
import { FeedInUse, PreconditionFailed } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { type Feed, parseFeedName, plainFeed } from './feed.ts'
import { type FeedFields, readFeedFields } from './feed-fields.ts'
import { nextWordings } from './wording.ts'

export interface PutFeedCommand extends FeedFields {
  readonly name: string
  readonly precondition?: Precondition<Feed> | undefined
}

export interface PutFeedResult {
  readonly feed: Feed
  readonly created: boolean
}

export class PutFeedUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock' | 'domainNames'> {
  static readonly permission = 'feeds:write'
  static readonly action = 'feed.put'

  /**
   * Creates the feed, or replaces the one with this name: omitted fields get their defaults, except the wording,
   * which stays. No version of a wording is ever changed or removed.
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   * @throws {FeedInUse} it is being deleted
   */
  async execute(command: PutFeedCommand, caller: Caller): Promise<PutFeedResult> {
    const attempt = this.ports.access.require(caller, PutFeedUseCase, command.name)
    return await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const name = parseFeedName(command.name)
      const current = await feeds.find(name)
      if (command.precondition?.(current) === false) throw new PreconditionFailed()
      const { wording, ...fields } = readFeedFields(command, name, this.ports.domainNames)
      if (current?.deletingSince !== undefined) throw new FeedInUse(BEING_DELETED)
      const now = this.ports.clock.now()
      const old = current ?? plainFeed(name, now)
      const feed: Feed = { ...old, ...fields, wordings: nextWordings(old.wordings, wording, now), updatedAt: now }
      await feeds.put(feed)
      await this.ports.trail.done(audit, caller, attempt)
      return { feed, created: current === undefined }
    })
  }
}

const BEING_DELETED = 'This feed is being deleted. Wait until it is gone, or delete it again to finish that.'
