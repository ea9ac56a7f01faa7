import type { Feed, FeedName } from '@rollcall/core'
import { columnsOf, counted, flag, type RowOf, table, text, whole } from './table.ts'

export const FEED = counted(
  table('feed', 1, {
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
  }),
)

export type FeedRow = RowOf<typeof FEED>

export const FEED_COLUMNS = columnsOf(FEED).join(', ')

export const toFeed = (row: FeedRow): Feed => ({
  name: row.name,
  title: row.title,
  description: row.description,
  language: row.language ?? undefined,
  sender: row.sender_address === null ? undefined : { name: row.sender_name ?? '', address: row.sender_address },
  wordings: JSON.parse(row.wordings),
  returnUrls: JSON.parse(row.return_urls),
  confirmedUrl: row.confirmed_url ?? undefined,
  open: Boolean(row.open),
  deletingSince: row.deleting_since ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Whether it is open is as the database has it. */
export const feedRow = <Open>(feed: Feed, open: Open) =>
  ({
    name: feed.name,
    title: feed.title,
    description: feed.description,
    language: feed.language ?? null,
    sender_name: feed.sender?.name ?? null,
    sender_address: feed.sender?.address ?? null,
    wordings: JSON.stringify(feed.wordings),
    return_urls: JSON.stringify(feed.returnUrls),
    confirmed_url: feed.confirmedUrl ?? null,
    open,
    deleting_since: feed.deletingSince ?? null,
    created_at: feed.createdAt,
    updated_at: feed.updatedAt,
  }) satisfies Record<keyof Omit<FeedRow, 'seq'>, unknown>
