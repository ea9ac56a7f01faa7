import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import { readAll } from '../read-all.ts'
import { problemWithText } from '../text.ts'
import type { FeedName } from './feed.ts'
import { parseLocale } from './locale.ts'
import { parseReturnUrl, parseReturnUrls } from './return-url.ts'
import { parseSender } from './sender.ts'
import { parseWording } from './wording.ts'

/** The fields of a feed, unparsed. */
export interface FeedFields {
  /** By default the name. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | undefined
  /** `News <news@example.com>`, or an address alone; by default the service's own. */
  readonly sender?: string | undefined
  /** What people are asked to agree to. Empty for the service's own; unchanged if not given. */
  readonly wording?: string | undefined
  /** Where a sign-up form may ask to be sent back to. */
  readonly returnUrls?: readonly string[] | undefined
  /** Where people are sent after they have confirmed. */
  readonly confirmedUrl?: string | undefined
  /** Whether it accepts sign-ups; by default true. */
  readonly open?: boolean | undefined
}

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000

/** @throws {InvalidInput} with the problems of every field that has one */
export const readFeedFields = (fields: FeedFields, name: FeedName, domainNames: DomainNames) =>
  readAll({
    title: () => parseText('title', fields.title || name, LONGEST_TITLE),
    description: () => parseText('description', fields.description ?? '', LONGEST_DESCRIPTION),
    language: () => parseLocale(fields.language, 'language'),
    sender: () => parseSender(fields.sender, domainNames),
    wording: () => parseWording(fields.wording),
    returnUrls: () => parseReturnUrls(fields.returnUrls ?? [], domainNames, 'return_urls'),
    confirmedUrl: () =>
      fields.confirmedUrl ? parseReturnUrl(fields.confirmedUrl, domainNames, 'confirmed_url') : undefined,
    open: () => fields.open ?? true,
  })

const parseText = (field: string, text: string, longest: number): string => {
  const message = problemWithText(text, longest)
  if (message !== undefined) throw new InvalidInput([{ field, message }])
  return text
}
