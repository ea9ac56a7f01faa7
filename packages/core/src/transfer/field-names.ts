import type { Feed, FeedName, FeedReader } from '../feeds/feed.ts'
import { declaredFields } from '../feeds/feed-fields.ts'
import type { Page } from '../page.ts'

const STRETCH = 200

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
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Feed> = await feeds.list({ after, limit: STRETCH })
    for (const feed of items) note(feed)
    after = next
  }
  return [...names]
}
