import type { Feed, FeedName } from '@rollcall/core'

export const FEED_COLUMNS = 'seq, name, title, description, language, created_at, updated_at'

export type FeedRow = [
  seq: number,
  name: string,
  title: string,
  description: string,
  language: string | null,
  createdAt: number,
  updatedAt: number,
]

export const toFeed = (row: FeedRow): Feed => ({
  name: row[1] as FeedName,
  title: row[2],
  description: row[3],
  language: row[4] ?? undefined,
  createdAt: row[5],
  updatedAt: row[6],
})
