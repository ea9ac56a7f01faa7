import type { Feed, FeedName, FeedReader } from '../feeds/feed.ts'
import { declaredFields } from '../feeds/feed-fields.ts'
import { eachOf } from '../page.ts'

/** What the forms of a feed ask for, or those of all feeds, by name: each once, in the order of the feeds. */
export const fieldNames = async (
  feeds: Pick<FeedReader, 'find' | 'list'>,
  name?: FeedName | undefined,
): Promise<readonly string[]> => {
  const names = new Set<string>()
  const note = (feed: Feed): void => {
    for (const field of declaredFields(feed)) names.add(field.name)
  }
  if (name !== undefined) {
    const feed = await feeds.find(name)
    if (feed !== undefined) note(feed)
    return [...names]
  }
  for await (const feed of eachOf((stretch) => feeds.list(stretch))) note(feed)
  return [...names]
}
