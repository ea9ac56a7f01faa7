import { FeedNotFound, InvalidInput } from '../errors.ts'
import type { FeedFace } from '../face/feed-face.ts'
import type { FeedLogo } from '../face/feed-logo.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { FeedField, FieldValues } from './feed-fields.ts'
import type { FeedSettings } from './feed-settings.ts'

export type FeedName = string & { readonly __brand: 'FeedName' }

/** What people were asked to agree to, from some time on. Never changed: a change is another version. */
export interface Wording {
  /** 1 for the first. */
  readonly version: number
  /** Empty if the service's own is shown again. */
  readonly text: string
  readonly since: Instant
}

/** A named thing one can subscribe to. */
export interface Feed extends FeedSettings {
  readonly name: FeedName
  /** All versions, oldest first; the last one is shown. Empty if the feed never had a wording of its own. */
  readonly wordings: readonly Wording[]
  /** What its forms ask for beside name and address. */
  readonly fields: readonly FeedField[]
  /** What its mails and pages look like, and say. */
  readonly face: FeedFace
  /** Since when it is being deleted, with everything in it: it takes nothing any more. */
  readonly deletingSince: Instant | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The names of feeds and webhooks. */
export const RESOURCE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

export const DEFAULT_FEED = 'default' as FeedName

/** A feed with nothing said about it but its name. */
export const plainFeed = (name: FeedName, now: Instant): Feed => ({
  name,
  title: name,
  description: '',
  wordings: [],
  returnUrls: [],
  open: true,
  fields: [],
  face: {},
  deletingSince: undefined,
  createdAt: now,
  updatedAt: now,
})

/** The text as a feed name, or undefined if it cannot be one. */
export const asFeedName = (text: string): FeedName | undefined =>
  RESOURCE_NAME.test(text) ? (text as FeedName) : undefined

/** @throws {InvalidInput} the text can never be a feed name */
export const parseFeedName = (text: string, field = 'name'): FeedName => {
  const name = asFeedName(text)
  if (name !== undefined) return name
  const message = 'Use 1 to 64 of a-z, 0-9 and hyphen, beginning with a letter or a digit.'
  throw new InvalidInput([{ field, message }])
}

/** The wording shown now to ask for consent; undefined if it is the service's own. */
export const currentWording = ({ wordings }: Pick<Feed, 'wordings'>): Wording | undefined => {
  const last = wordings.at(-1)
  return last?.text ? last : undefined
}

export const takesSignUps = ({ open, deletingSince }: Feed): boolean => open && deletingSince === undefined

export const logoOf = async (feeds: Pick<FeedReader, 'logo'>, feed: Feed | undefined): Promise<FeedLogo | undefined> =>
  feed?.face.logo === undefined ? undefined : await feeds.logo(feed.name)

export const welcomesNow = (feed: Feed | undefined): boolean =>
  feed?.face.welcome === true && feed.deletingSince === undefined

/** Whether it reminds who was asked to confirm. */
export const remindsNow = (feed: Feed | undefined): boolean =>
  feed?.remindAfter !== undefined && feed.deletingSince === undefined

export interface FeedReader {
  /** The feed `default` is always there. */
  find(name: FeedName): Promise<Feed | undefined>
  list(stretch: Stretch): Promise<Page<Feed>>
  /** Its logo, which is not a part of the feed: no list reads it. */
  logo(name: FeedName): Promise<FeedLogo | undefined>
}

export interface FeedStore extends FeedReader {
  /** Stores the feed; replaces the one with the same name, which keeps its place in lists. */
  put(feed: Feed): Promise<void>
  /** Stores the logo of a feed that is there, in place of the one before. */
  putLogo(name: FeedName, logo: FeedLogo): Promise<void>
  /** Does nothing if there is none. */
  removeLogo(name: FeedName): Promise<void>
  /** Removes the feed alone, with its logo; does nothing if there is no such feed. Its subscriptions must be gone before. */
  remove(name: FeedName): Promise<void>
}

/** The feeds of these, as far as there are any, by their names. */
export const feedsOf = async (
  feeds: Pick<FeedReader, 'find'>,
  those: Iterable<{ readonly feed: FeedName }>,
): Promise<ReadonlyMap<FeedName, Feed>> => {
  const names = new Set(Array.from(those, ({ feed }) => feed))
  // In one order for all units: to read one may lock it.
  const found = await Promise.all([...names].sort().map((name) => feeds.find(name)))
  return new Map(found.flatMap((feed) => (feed === undefined ? [] : [[feed.name, feed] as const])))
}

/** Feeds are few: each is looked up once. */
export const rememberedFeeds = (feeds: Pick<FeedReader, 'find'>): ((name: FeedName) => Promise<Feed | undefined>) => {
  const known = new Map<FeedName, Promise<Feed | undefined>>()
  return (name) => {
    const feed = known.get(name) ?? feeds.find(name)
    known.set(name, feed)
    return feed
  }
}

/** @throws {FeedNotFound} */
export const requireNamedFeed = async (feeds: Pick<FeedReader, 'find'>, text: string): Promise<Feed> => {
  const name = asFeedName(text)
  const feed = name && (await feeds.find(name))
  if (!feed) throw new FeedNotFound()
  return feed
}

export const noSuchFeed = (field = 'feed'): InvalidInput =>
  new InvalidInput([{ field, message: 'There is no such feed. Check the name, or leave it out.' }])

/**
 * The name of a feed that should exist.
 * @throws {InvalidInput} the text can never be a feed name
 */
export const parseKnownFeedName = (text: string): FeedName => {
  const name = asFeedName(text)
  if (name === undefined) throw noSuchFeed()
  return name
}

/** @throws {InvalidInput} the named feed does not exist */
export const requireFeed = async (feeds: Pick<FeedReader, 'find'>, name: FeedName | undefined): Promise<void> => {
  if (name !== undefined && (await feeds.find(name)) === undefined) throw noSuchFeed()
}

/** Notes that there are values of these fields from now on. Whatever is known of an address: the form decides. */
export const noteStoredFields = async (
  { feeds }: { readonly feeds: Pick<FeedStore, 'find' | 'put'> },
  feed: Feed,
  values: FieldValues | undefined,
): Promise<void> => {
  if (values === undefined) return
  const isFirst = ({ name, stored }: FeedField) => !stored && Object.hasOwn(values, name)
  if (!feed.fields.some(isFirst)) return
  // As it is now: this unit may have noted others of its fields.
  const current = (await feeds.find(feed.name)) ?? feed
  if (!current.fields.some(isFirst)) return
  await feeds.put({ ...current, fields: current.fields.map((one) => (isFirst(one) ? { ...one, stored: true } : one)) })
}
