import { InvalidInput } from '../errors.ts'
import type { Instant } from '../instant.ts'

export type FeedName = string & { readonly __brand: 'FeedName' }

/** A named thing one can subscribe to. */
export interface Feed {
  readonly name: FeedName
  /** What people are shown. */
  readonly title: string
  readonly description: string
  /** The language of mails and pages where a subscription names none. */
  readonly language: string | undefined
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/

export const DEFAULT_FEED = 'default' as FeedName

/** The text as a feed name, or undefined where it can never be one. */
export const asFeedName = (text: string): FeedName | undefined => (NAME.test(text) ? (text as FeedName) : undefined)

/** @throws {InvalidInput} the text can never be a feed name */
export const parseFeedName = (text: string, field = 'name'): FeedName => {
  const name = asFeedName(text)
  if (name !== undefined) return name
  const message = 'Use 1 to 64 of a-z, 0-9 and hyphen, beginning with a letter or a digit.'
  throw new InvalidInput([{ field, message }])
}
