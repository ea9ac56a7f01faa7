import { type Caller, mayKnowOfFeed } from '../access/caller.ts'
import { FeedNotFound } from '../errors.ts'
import { type Feed, type FeedReader, requireNamedFeed } from '../feeds/feed.ts'

/**
 * The feed whose recipients are asked for.
 * @throws {FeedNotFound} also if it is being deleted, or if the caller is bound to others
 */
export const recipientFeed = async (feeds: Pick<FeedReader, 'find'>, name: string, caller: Caller): Promise<Feed> => {
  const feed = await requireNamedFeed(feeds, name)
  if (feed.deletingSince !== undefined || !mayKnowOfFeed(caller, feed.name)) throw new FeedNotFound()
  return feed
}
