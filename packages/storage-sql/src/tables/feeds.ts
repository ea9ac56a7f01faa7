import type { Feed, FeedLogo, FeedName, FeedReader, FeedStore, LogoType } from '@rollcall/core'
import { find, type Methods, page, write } from './methods.ts'
import {
  type Cell,
  columnsOf,
  countedTable,
  excluded,
  flag,
  insertInto,
  json,
  mapping,
  type RowOf,
  table,
  text,
  whole,
} from './table.ts'

/** No statement asks about its settings: one that is new needs no column. */
export const FEED = countedTable('feed', {
  seq: whole(),
  name: text<FeedName>(),
  title: text(),
  description: text(),
  wordings: json<Feed['wordings']>(),
  return_urls: json<Feed['returnUrls']>(),
  open: flag(),
  deleting_since: whole<number | null>(),
  created_at: whole(),
  updated_at: whole(),
  settings: text<string | null>(),
})

/** Apart from the feeds: no list of them reads it. */
export const FEED_LOGO = table('feed_logo', 1, {
  feed: text<FeedName>(),
  type: text<LogoType>(),
  content: text(),
})

type FeedRow = RowOf<typeof FEED>

const FEED_COLUMNS = columnsOf(FEED).join(', ')

const CHANGED = ['open', 'settings'] as const
const PLAIN = mapping(FEED, 'seq', ...CHANGED)
const PUT = [...PLAIN.columns, ...CHANGED]

const toFeed = (row: FeedRow): Feed => ({
  fields: [],
  face: {},
  ...JSON.parse(row.settings ?? '{}'),
  ...PLAIN.toRecord(row),
  open: Boolean(row.open),
})

const feedValues = ({ open, ...feed }: Feed): Cell[] => {
  const { name, title, description, wordings, returnUrls, deletingSince, createdAt, updatedAt, ...settings } = feed
  const plain = { name, title, description, wordings, returnUrls, deletingSince, createdAt, updatedAt }
  return [...PLAIN.toValues(plain), open ? 1 : 0, JSON.stringify(settings)]
}

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
