import { type Feed, type FeedName, type FeedReader, takesSignUps } from '../feeds/feed.ts'
import type { Page } from '../page.ts'

/** The feeds that refuse sign-ups. */
export interface ClosedFeeds {
  readonly closed: ReadonlySet<FeedName>
  readonly beingDeleted: ReadonlySet<FeedName>
  /** Whether there is no other feed. */
  readonly all: boolean
}

const STRETCH = 200

export const closedFeeds = async (feeds: Pick<FeedReader, 'list'>): Promise<ClosedFeeds> => {
  const [closed, beingDeleted] = [new Set<FeedName>(), new Set<FeedName>()]
  let all = true
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Feed> = await feeds.list({ after, limit: STRETCH })
    for (const feed of items) {
      if (takesSignUps(feed)) all = false
      else (feed.deletingSince === undefined ? closed : beingDeleted).add(feed.name)
    }
    after = next
  }
  return { closed, beingDeleted, all }
}
