import type { Feed, FeedName } from '@rollcall/core'

export const FEED_COLUMNS =
  'seq, name, title, description, language, sender_name, sender_address, wordings, return_urls, confirmed_url, open, ' +
  'deleting_since, created_at, updated_at'

export type FeedRow = [
  seq: number,
  name: string,
  title: string,
  description: string,
  language: string | null,
  senderName: string | null,
  senderAddress: string | null,
  wordings: string,
  returnUrls: string,
  confirmedUrl: string | null,
  open: number | boolean,
  deletingSince: number | null,
  createdAt: number,
  updatedAt: number,
]

export const toFeed = (row: FeedRow): Feed => ({
  name: row[1] as FeedName,
  title: row[2],
  description: row[3],
  language: row[4] ?? undefined,
  sender: row[6] === null ? undefined : { name: row[5] ?? '', address: row[6] },
  wordings: JSON.parse(row[7]),
  returnUrls: JSON.parse(row[8]),
  confirmedUrl: row[9] ?? undefined,
  open: Boolean(row[10]),
  deletingSince: row[11] ?? undefined,
  createdAt: row[12],
  updatedAt: row[13],
})

/** What of a feed may change, in the order of the columns after the name; whether it is open as the database has it. */
export const feedValues = <Open>(feed: Feed, open: Open) =>
  [
    feed.title,
    feed.description,
    feed.language ?? null,
    feed.sender?.name ?? null,
    feed.sender?.address ?? null,
    JSON.stringify(feed.wordings),
    JSON.stringify(feed.returnUrls),
    feed.confirmedUrl ?? null,
    open,
    feed.deletingSince ?? null,
    feed.createdAt,
    feed.updatedAt,
  ] as const
