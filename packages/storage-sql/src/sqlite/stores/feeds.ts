import type { FeedReader, FeedStore } from '@rollcall/core'
import { FEED, FEED_COLUMNS, type FeedRow, feedRow, toFeed } from '../../tables/feeds.ts'
import { columnsOf, excluded, pageOf, valuesOf } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Connection } from '../connection.ts'
import type { Writer } from '../writer.ts'
import { KnownFeeds } from './known-feeds.ts'

const PUT = columnsOf(FEED, 'seq')

export const sqliteFeedReader = (connection: Connection): Synchronous<FeedReader> => {
  const byName = connection.prepare<[string], FeedRow>(`SELECT ${FEED_COLUMNS} FROM feed WHERE name = ?`)
  const list = connection.prepare<[number, number], FeedRow>(
    `SELECT ${FEED_COLUMNS} FROM feed WHERE seq > ? ORDER BY seq LIMIT +?`,
  )
  const by = ({ seq }: FeedRow) => seq
  return {
    find: (name) => {
      const row = byName.get(name)
      return row && toFeed(row)
    },
    list: ({ after, limit }) => pageOf(list.all(after, limit + 1), { limit, by }, toFeed),
  }
}

export const sqliteFeedStore = (writer: Writer): Synchronous<FeedStore> => {
  const put = writer.connection.prepare(
    `INSERT INTO feed (${PUT.join(', ')}) VALUES (${PUT.map(() => '?').join(', ')})
      ON CONFLICT (name) DO UPDATE SET ${excluded(PUT)}`,
  )
  const remove = writer.connection.prepare('DELETE FROM feed WHERE name = ?')
  const reader = sqliteFeedReader(writer.connection)
  const known = new KnownFeeds(writer)
  return {
    ...reader,
    find: (name) => known.recall(name, () => reader.find(name)),
    put: (feed) => {
      known.forget(feed.name)
      writer.write(put, ...valuesOf(PUT, feedRow(feed, feed.open ? 1 : 0)))
    },
    remove: (name) => {
      known.forget(name)
      writer.write(remove, name)
    },
  }
}
