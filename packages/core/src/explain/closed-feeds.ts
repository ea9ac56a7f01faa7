import { type FeedName, type FeedReader, takesSignUps } from '../feeds/feed.ts'
import { eachOf } from '../page.ts'

/** The feeds that refuse sign-ups. */
export interface ClosedFeeds {
  readonly closed: ReadonlySet<FeedName>
  readonly beingDeleted: ReadonlySet<FeedName>
  /** Whether there is no other feed. */
  readonly all: boolean
}

export const closedFeeds = async (feeds: Pick<FeedReader, 'list'>): Promise<ClosedFeeds> => {
  const [closed, beingDeleted] = [new Set<FeedName>(), new Set<FeedName>()]
  let all = true
  for await (const feed of eachOf((stretch) => feeds.list(stretch))) {
    if (takesSignUps(feed)) all = false
    else (feed.deletingSince === undefined ? closed : beingDeleted).add(feed.name)
  }
  return { closed, beingDeleted, all }
}
