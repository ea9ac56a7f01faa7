import type { FeedReader, FeedStore } from '@rollcall/core'
import { FEED, FEED_COLUMNS, type FeedRow, feedRow, toFeed } from '../../tables/feeds.ts'
import { columnsOf, excluded, pageOf, valuesOf } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const PUT = columnsOf(FEED, 'seq')
const FIND = rowStatement<FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE name = $1`)
const LIST = rowStatement<FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE seq > $1 ORDER BY seq LIMIT $2`)
const SAVE = statement(
  `INSERT INTO feed (${PUT.join(', ')}) VALUES (${placeholders(PUT.length)})
    ON CONFLICT (name) DO UPDATE SET ${excluded(PUT)}`,
)
const REMOVE = statement('DELETE FROM feed WHERE name = $1')

export const postgresFeedReader = (ask: Ask): FeedReader => ({
  find: async (name) => {
    const [row] = await ask(FIND, name)
    return row && toFeed(row)
  },
  list: async ({ after, limit }) => pageOf(await ask(LIST, after, limit + 1), { limit, by: ({ seq }) => seq }, toFeed),
})

export const postgresFeedStore = (unit: Transaction): FeedStore => {
  const reader = postgresFeedReader(unit.ask)
  return {
    find: async (name) => {
      unit.share(keyOf.feed(name))
      return await reader.find(name)
    },
    list: async (stretch) => {
      unit.share(keyOf.feeds)
      return await reader.list(stretch)
    },
    put: async (feed) => {
      unit.lock(keyOf.feeds, keyOf.feed(feed.name))
      unit.write(SAVE, ...valuesOf(PUT, feedRow(feed, feed.open)))
    },
    remove: async (name) => {
      unit.lock(keyOf.feeds, keyOf.feed(name))
      unit.write(REMOVE, name)
    },
  }
}
