import { type FieldProblem, InvalidInput } from '../errors.ts'
import { asFeedName, type Feed, type FeedName, noSuchFeed } from './feed.ts'
import { limitFieldValues } from './feed-fields.ts'
import { type SignUpForm, signUpFields, type Target } from './sign-up.ts'

const MOST_FEEDS = 20

const invalidFeeds = (message: string): InvalidInput => new InvalidInput([{ field: 'feeds', message }])

/**
 * The names of the feeds that a form asks for, each once.
 * @throws {InvalidInput} there is none, there are too many, one can be no name, or a single feed is named beside them
 */
export const readFeedNames = (feed: string | undefined, feeds: readonly string[]): readonly FeedName[] => {
  if (feed) throw invalidFeeds("Give either 'feed' or 'feeds'.")
  const names = [...new Set(feeds)]
  if (names.length === 0) throw invalidFeeds('Name at least one feed.')
  if (names.length > MOST_FEEDS) throw invalidFeeds(`Name at most ${MOST_FEEDS} feeds.`)
  return names.map((name) => {
    const known = asFeedName(name)
    if (known === undefined) throw noSuchFeed('feeds')
    return known
  })
}

/**
 * What the form gives for the fields of each feed.
 * @throws {InvalidInput} with the problems of every field that has one, each once
 */
export const targetsOf = (feeds: readonly Feed[], form: SignUpForm): readonly Target[] => {
  const problems = new Map<string, FieldProblem>()
  const targets = feeds.map((feed): Target => {
    try {
      return { feed, fields: signUpFields(feed, form) }
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      for (const problem of error.details) problems.set(problem.field, problem)
      return { feed, fields: undefined }
    }
  })
  if (problems.size > 0) throw new InvalidInput([...problems.values()])
  limitFieldValues(targets.map(({ fields }) => fields))
  return targets
}
