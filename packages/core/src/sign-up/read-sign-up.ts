import type { Dependencies } from '../dependencies.ts'
import { type FieldProblem, InvalidInput } from '../errors.ts'
import { asFeedName, DEFAULT_FEED, type Feed, type FeedName, noSuchFeed, takesSignUps } from '../feeds/feed.ts'
import {
  declaredFields,
  type FieldValues,
  limitFieldValues,
  readFieldValues,
  type SubmittedFields,
} from '../feeds/feed-fields.ts'
import { readAll } from '../read-all.ts'
import { type ConsentSource, wordingOf } from '../subscriptions/consent.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { asLocale } from '../subscriptions/locale.ts'
import { parsePersonName } from '../text.ts'
import type { Trapped } from './honeypot.ts'
import type { AskedFeed } from './waiting-request.ts'

/** A sign-up form as it came. */
export interface SubscribeCommand extends Trapped {
  readonly email: string
  readonly name?: string | undefined
  readonly locale?: string | undefined
  /** The feed; by default `default`. */
  readonly feed?: string | undefined
  /** Several feeds in place of one, 1 to 20; one that is named twice counts once. */
  readonly feeds?: readonly string[] | undefined
  /** The solution of a challenge, if challenges are on. */
  readonly altcha?: string | undefined
  /** The signed time that our own page carries. */
  readonly stamp?: string | undefined
  /** Where the form asks to be sent back to: exactly one of the feed's return URLs. */
  readonly returnTo?: string | undefined
  /** What it gives for the fields of the feeds, by their names. */
  readonly fields?: SubmittedFields | undefined
  readonly source: ConsentSource
}

/** Who signs up, as far as the form says it. */
export interface Person {
  readonly address: EmailAddress
  readonly name: string
  readonly locale: string | undefined
}

/** @throws {InvalidInput} with the problems of every field that has one */
export const readPerson = (
  { email, name, locale }: Pick<SubscribeCommand, 'email' | 'name' | 'locale'>,
  { domainNames }: Pick<Dependencies, 'domainNames'>,
): Person => {
  const fields = readAll({
    address: () => parseEmailAddress(email, domainNames),
    name: () => parsePersonName(name ?? ''),
  })
  return { ...fields, locale: asLocale(locale) }
}

/** In one form. */
export const MOST_FEEDS = 20

const invalidFeeds = (message: string): InvalidInput => new InvalidInput([{ field: 'feeds', message }])

/**
 * The names that are given for several feeds, each once; undefined if they are not given.
 * @throws {InvalidInput} there is none, there are too many, or a single feed is named beside them
 */
export const severalFeeds = ({
  feed,
  feeds,
}: Pick<SubscribeCommand, 'feed' | 'feeds'>): readonly string[] | undefined => {
  if (feeds === undefined) return undefined
  if (feed) throw invalidFeeds("Give either 'feed' or 'feeds'.")
  const names = [...new Set(feeds)]
  if (names.length === 0) throw invalidFeeds('Name at least one feed.')
  if (names.length > MOST_FEEDS) throw invalidFeeds(`Name at most ${MOST_FEEDS} feeds.`)
  return names
}

/**
 * The names of the feeds that a form asks for, each once.
 * @throws {InvalidInput} as `severalFeeds`, or one can be no name
 */
export const readFeedNames = (form: Pick<SubscribeCommand, 'feed' | 'feeds'>): readonly FeedName[] =>
  severalFeeds(form)?.map((name) => knownName(name, 'feeds')) ?? [
    form.feed ? knownName(form.feed, 'feed') : DEFAULT_FEED,
  ]

const knownName = (text: string, field: string): FeedName => {
  const name = asFeedName(text)
  if (name === undefined) throw noSuchFeed(field)
  return name
}

/**
 * What the form asks of each feed; `found` has those feeds, in the order of their names.
 * @throws {InvalidInput} one does not exist or takes no sign-ups, or a field is not valid: all or nothing
 */
export const askedFeeds = (found: readonly (Feed | undefined)[], form: SubscribeCommand): readonly AskedFeed[] => {
  const feeds = found.map((feed) => openFeed(feed, form))
  const problems = new Map<string, FieldProblem>()
  const { returnTo } = form
  if (returnTo && !feeds.every(({ returnUrls }) => returnUrls.includes(returnTo)))
    problems.set('return_to', { field: 'return_to', message: "Use exactly one of the feed's return URLs." })
  const asked = feeds.map((feed) => ({
    feed: feed.name,
    wording: wordingOf(feed),
    fields: fieldsOf(feed, form, problems),
  }))
  if (problems.size > 0) throw new InvalidInput([...problems.values()])
  limitFieldValues(asked.map(({ fields }) => fields))
  return asked
}

const openFeed = (feed: Feed | undefined, { feeds }: SubscribeCommand): Feed => {
  const field = feeds === undefined ? 'feed' : 'feeds'
  if (feed === undefined || feed.deletingSince !== undefined) throw noSuchFeed(field)
  if (!takesSignUps(feed))
    throw new InvalidInput([{ field, message: 'This feed takes no new subscriptions. Choose another.' }])
  return feed
}

/** Notes the problem of every field that has one, each once. */
const fieldsOf = (
  feed: Feed,
  { fields = {} }: SubscribeCommand,
  problems: Map<string, FieldProblem>,
): FieldValues | undefined => {
  if (feed.fields.length === 0) return undefined
  try {
    return readFieldValues(declaredFields(feed), fields)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    for (const problem of error.details) problems.set(problem.field, problem)
    return undefined
  }
}
