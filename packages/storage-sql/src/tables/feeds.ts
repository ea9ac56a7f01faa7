import type { Feed, FeedLogo, FeedName, FeedReader, FeedStore, LogoType } from '@rollcall/core'
import { find, type Methods, page, write } from './methods.ts'
import {
  type Cell,
  columnsOf,
  countedTable,
  excluded,
  flag,
  insertInto,
  mapping,
  type RowOf,
  table,
  text,
  whole,
} from './table.ts'

export const FEED = countedTable('feed', {
  seq: whole(),
  name: text<FeedName>(),
  title: text(),
  description: text(),
  language: text<string | null>(),
  sender_name: text<string | null>(),
  sender_address: text<string | null>(),
  wordings: text(),
  return_urls: text(),
  confirmed_url: text<string | null>(),
  open: flag(),
  deleting_since: whole<number | null>(),
  created_at: whole(),
  updated_at: whole(),
  home_url: text<string | null>(),
  fields: text<string | null>(),
  remind_after: whole<number | null>(),
  face: text<string | null>(),
})

/** Apart from the feeds: no list of them reads it. */
export const FEED_LOGO = table('feed_logo', 1, {
  feed: text<FeedName>(),
  type: text<LogoType>(),
  content: text(),
})

export type FeedRow = RowOf<typeof FEED>

export const FEED_COLUMNS = columnsOf(FEED).join(', ')

const CHANGED = ['sender_name', 'sender_address', 'wordings', 'return_urls', 'open', 'fields', 'face'] as const
const PLAIN = mapping(FEED, 'seq', ...CHANGED)
const PUT = [...PLAIN.columns, ...CHANGED]

export const toFeed = (row: FeedRow): Feed => ({
  ...PLAIN.toRecord(row),
  sender: row.sender_address === null ? undefined : { name: row.sender_name ?? '', address: row.sender_address },
  wordings: JSON.parse(row.wordings),
  returnUrls: JSON.parse(row.return_urls),
  open: Boolean(row.open),
  fields: row.fields === null ? [] : JSON.parse(row.fields),
  face: row.face === null ? {} : JSON.parse(row.face),
})

const feedValues = (feed: Feed): Cell[] => [
  ...PLAIN.toValues({ remindAfter: undefined, ...feed }),
  feed.sender?.name ?? null,
  feed.sender?.address ?? null,
  JSON.stringify(feed.wordings),
  JSON.stringify(feed.returnUrls),
  feed.open ? 1 : 0,
  feed.fields.length === 0 ? null : JSON.stringify(feed.fields),
  Object.keys(feed.face).length === 0 ? null : JSON.stringify(feed.face),
]

const toLogo = ({ type, content }: RowOf<typeof FEED_LOGO>): FeedLogo => ({ type, content })

const REMOVE_LOGO = write('DELETE FROM feed_logo WHERE feed = ?', (name: FeedName) => [name])

const FEEDS = `SELECT ${FEED_COLUMNS} FROM feed`

export const FEED_READER: Methods<FeedReader> = {
  find: find(`${FEEDS} WHERE name = ?`, (name) => [name], toFeed),
  list: page(`${FEEDS} WHERE seq > ? ORDER BY seq LIMIT +?`, 'seq', toFeed),
  logo: find('SELECT type, content FROM feed_logo WHERE feed = ?', (name) => [name], toLogo),
}

export const FEED_STORE: Methods<FeedStore> = {
  ...FEED_READER,
  put: write(`${insertInto('feed', PUT)} ON CONFLICT (name) DO UPDATE SET ${excluded(PUT)}`, (feed) =>
    feedValues(feed),
  ),
  remove: write('DELETE FROM feed WHERE name = ?', (name) => [name], REMOVE_LOGO),
  putLogo: write(
    `${insertInto('feed_logo', columnsOf(FEED_LOGO))} ON CONFLICT (feed) DO UPDATE SET ${excluded(['type', 'content'])}`,
    (name, { type, content }) => [name, type, content],
  ),
  removeLogo: REMOVE_LOGO,
}
