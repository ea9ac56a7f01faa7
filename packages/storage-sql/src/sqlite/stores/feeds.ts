import type { FeedReader, FeedStore } from '@rollcall/core'
import { FEED_COLUMNS, type FeedRow, feedValues, toFeed } from '../../rows/feed-row.ts'
import { pageOf } from '../../rows/page-of.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { KnownFeeds } from './known-feeds.ts'

const [, , ...CHANGED] = FEED_COLUMNS.split(', ')

export const sqliteFeedReader = (connection: Connection): Synchronous<FeedReader> => {
  const byName = connection.prepare<[string], FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE name = ?`).raw()
  const list = connection
    .prepare<[number, number], FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE seq > ? ORDER BY seq LIMIT +?`)
    .raw()
  return {
    find: (name) => {
      const row = byName.get(name)
      return row && toFeed(row)
    },
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), limit, toFeed),
  }
}

export const sqliteFeedStore = (writer: Writer): Synchronous<FeedStore> => {
  const put = writer.connection.prepare(
    `INSERT INTO feed (${CHANGED.join(', ')}, name) VALUES (${CHANGED.map(() => '?').join(', ')}, ?)
      ON CONFLICT (name) DO UPDATE SET ${CHANGED.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  )
  const remove = writer.connection.prepare('DELETE FROM feed WHERE name = ?')
  const reader = sqliteFeedReader(writer.connection)
  const known = new KnownFeeds(writer)
  return {
    ...reader,
    find: (name) => known.recall(name, () => reader.find(name)),
    put: (feed) => {
      known.forget(feed.name)
      writer.write(put, ...feedValues(feed, feed.open ? 1 : 0), feed.name)
    },
    remove: (name) => {
      known.forget(name)
      writer.write(remove, name)
    },
  }
}
