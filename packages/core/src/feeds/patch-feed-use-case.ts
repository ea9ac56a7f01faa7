import type { Caller } from '../access/caller.ts'
import { changedFace } from '../face/change-face.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { readGiven } from '../read-all.ts'
import { UseCase } from '../use-case.ts'
import { nextFields } from './declare-fields.ts'
import { eraseMarkedFields } from './erase-fields.ts'
import { type Feed, requireNamedFeed } from './feed.ts'
import { type FeedFields, feedFieldReaders, newWording, PutFeedUseCase, requireLasting } from './put-feed-use-case.ts'

/** The fields of a feed, unparsed. What is not given stays as it is; null is the default. */
export type FeedPatch = { readonly [Name in keyof FeedFields]: FeedFields[Name] | null }

export interface PatchFeedCommand extends FeedPatch {
  readonly name: string
  readonly removedFields?: 'keep' | 'erase' | undefined
  readonly precondition?: Precondition<Feed> | undefined
}

export class PatchFeedUseCase extends UseCase<
  'access' | 'unitOfWork' | 'requests' | 'trail' | 'clock' | 'domainNames' | 'linkLife',
  'subscriptions'
> {
  static readonly permission = PutFeedUseCase.permission
  static readonly action = PutFeedUseCase.action

  /**
   * Changes some fields of a feed; if none of them is different, nothing is stored or recorded.
   * @throws {FeedNotFound} there is no such feed
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid
   * @throws {FeedInUse} it is being deleted
   * @throws {FieldInUse} a field that has values would go, or change its type
   */
  async execute(command: PatchFeedCommand, caller: Caller): Promise<Feed> {
    const attempt = await this.ports.access.require(caller, PatchFeedUseCase, command.name)
    const erase = command.removedFields === 'erase'
    await this.ports.requests.settled()
    const feed = await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const current = await requireNamedFeed(feeds, command.name)
      requireCondition(command.precondition, current)
      const { name: _, precondition: __, removedFields: ___, accent, footer, words, welcome, ...given } = command
      const { wording, fields: declared, ...changes } = readGiven(given, feedFieldReaders(current.name, this.ports))
      const face = changedFace(current.face, { accent, footer, words, welcome })
      requireLasting(current)
      const now = this.ports.clock.now()
      const fields = nextFields(current, declared, erase)
      const feed: Feed = { ...current, ...changes, ...newWording(current, wording, now), fields, face }
      if (JSON.stringify(feed) === JSON.stringify(current)) return current
      const changed = { ...feed, updatedAt: now }
      await feeds.put(changed)
      await this.ports.trail.done(audit, caller, attempt)
      return changed
    })
    if (erase) await eraseMarkedFields(this.ports, feed.name, caller, attempt)
    return feed
  }
}
