import { InvalidInput } from '../errors.ts'
import { asFeedName, type FeedName } from './feed.ts'
import type { FeedReader } from './feed-store.ts'

export const noSuchFeed = (): InvalidInput =>
  new InvalidInput([{ field: 'feed', message: 'There is no such feed. Check the name, or leave it out.' }])

/**
 * The feed that a list is limited to; undefined if none is named.
 * @throws {InvalidInput} the text can never be a feed name
 */
export const parseFeedFilter = (text: string | undefined): FeedName | undefined => {
  if (text === undefined) return undefined
  const name = asFeedName(text)
  if (name === undefined) throw noSuchFeed()
  return name
}

/** @throws {InvalidInput} the named feed does not exist */
export const requireFeed = async (feeds: Pick<FeedReader, 'find'>, name: FeedName | undefined): Promise<void> => {
  if (name !== undefined && (await feeds.find(name)) === undefined) throw noSuchFeed()
}
