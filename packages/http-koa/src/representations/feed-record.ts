import type { Feed } from '@rollcall/core'
import { timestamp } from './timestamp.ts'

export const feedRecord = (feed: Feed) => ({
  name: feed.name,
  title: feed.title,
  description: feed.description,
  language: feed.language ?? null,
  created_at: timestamp(feed.createdAt),
  updated_at: timestamp(feed.updatedAt),
})
