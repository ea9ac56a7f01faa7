import type { Feed } from '../subscriptions/feed.ts'
import { timestamp } from './timestamp.ts'

/** A feed as everybody outside sees it. */
export const feedRecord = (feed: Feed) => ({
  name: feed.name,
  title: feed.title,
  description: feed.description,
  language: feed.language ?? null,
  sender: feed.sender === undefined ? null : mailbox(feed.sender),
  wordings: feed.wordings.map(({ version, text, since }) => ({ version, text, since: timestamp(since) })),
  return_urls: feed.returnUrls,
  confirmed_url: feed.confirmedUrl ?? null,
  open: feed.open,
  deleting_since: timestamp(feed.deletingSince),
  created_at: timestamp(feed.createdAt),
  updated_at: timestamp(feed.updatedAt),
})

const mailbox = ({ name, address }: { readonly name: string; readonly address: string }): string =>
  name === '' ? address : `${name} <${address}>`
