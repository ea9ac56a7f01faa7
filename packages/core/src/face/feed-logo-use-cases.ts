import type { Caller } from '../access/caller.ts'
import { LogoNotFound } from '../errors.ts'
import { requireNamedFeed } from '../feeds/feed.ts'
import { type PutFeedResult, requireLasting } from '../feeds/put-feed-use-case.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { withLogo } from './change-face.ts'
import { cleanLogo } from './clean-logo.ts'
import type { FeedLogo } from './feed-logo.ts'

export class GetFeedLogoUseCase extends UseCase<'access', 'feeds'> {
  static readonly permission = 'feeds:read'
  static readonly action = 'feed.read'

  /**
   * @throws {FeedNotFound}
   * @throws {LogoNotFound}
   */
  async execute({ name }: { readonly name: string }, caller: Caller): Promise<FeedLogo> {
    await this.ports.access.require(caller, GetFeedLogoUseCase, name)
    const feed = await requireNamedFeed(this.ports.readers.feeds, name)
    const logo = await this.ports.readers.feeds.logo(feed.name)
    if (logo === undefined) throw new LogoNotFound()
    return logo
  }
}

export interface PutFeedLogoCommand {
  readonly name: string
  /** A PNG or an SVG. */
  readonly content: Uint8Array
  /** On the type of the logo that is there. */
  readonly precondition?: Precondition<FeedLogo['type']> | undefined
}

export class PutFeedLogoUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock'> {
  static readonly permission = 'feeds:write'
  static readonly action = 'feed.put'

  /**
   * Gives the feed this logo, cleaned, in place of the one before; `created` says that there was none.
   * @throws {FeedNotFound}
   * @throws {InvalidInput} it is too large, neither PNG nor SVG, or has what a logo cannot have
   * @throws {FeedInUse} the feed is being deleted
   */
  async execute({ name, content, precondition }: PutFeedLogoCommand, caller: Caller): Promise<PutFeedResult> {
    const attempt = await this.ports.access.require(caller, PutFeedLogoUseCase, name)
    return await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const current = await requireNamedFeed(feeds, name)
      requireCondition(precondition, current.face.logo)
      const logo = cleanLogo(content)
      requireLasting(current)
      const feed = { ...current, face: withLogo(current.face, logo.type), updatedAt: this.ports.clock.now() }
      await feeds.put(feed)
      await feeds.putLogo(feed.name, logo)
      await this.ports.trail.done(audit, caller, attempt, 'logo')
      return { feed, created: current.face.logo === undefined }
    })
  }
}

export class DeleteFeedLogoUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock'> {
  static readonly permission = PutFeedLogoUseCase.permission
  static readonly action = PutFeedLogoUseCase.action

  /**
   * @throws {FeedNotFound}
   * @throws {LogoNotFound}
   */
  async execute({ name, precondition }: Omit<PutFeedLogoCommand, 'content'>, caller: Caller): Promise<void> {
    const attempt = await this.ports.access.require(caller, DeleteFeedLogoUseCase, name)
    await this.ports.unitOfWork.run(async ({ feeds, audit }) => {
      const feed = await requireNamedFeed(feeds, name)
      if (feed.face.logo === undefined) throw new LogoNotFound()
      requireCondition(precondition, feed.face.logo)
      await feeds.put({ ...feed, face: withLogo(feed.face, undefined), updatedAt: this.ports.clock.now() })
      await feeds.removeLogo(feed.name)
      await this.ports.trail.done(audit, caller, attempt, 'logo removed')
    })
  }
}
