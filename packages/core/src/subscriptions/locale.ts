import { InvalidInput } from '../errors.ts'
import { withoutMargins } from '../text.ts'

// Well-formedness of RFC 5646 section 2.1, less the grandfathered tags; whether a subtag is registered is not asked.
const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const SCRIPT_AND_REGION = '(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?'
const VARIANTS = '(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*'
const EXTENSIONS = '(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*'
const PRIVATE = 'x(?:-[a-z0-9]{1,8})+'
const LANGUAGE_TAG = new RegExp(
  `^(?:${LANGUAGE}${SCRIPT_AND_REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`,
  'i',
)
const LONGEST = 35

/**
 * The text as a language tag, `de_DE` as `de-DE`; undefined if it cannot be one.
 * @see RFC 5646 (BCP 47)
 */
export const asLocale = (text = ''): string | undefined => {
  const tag = withoutMargins(text).replaceAll('_', '-')
  return tag.length <= LONGEST && LANGUAGE_TAG.test(tag) ? tag : undefined
}

/**
 * The language that something is set to, exactly; undefined if none was given.
 * @throws {InvalidInput} it is not well-formed
 */
export const parseLocale = (text: string | undefined, field: string): string | undefined => {
  if (text === undefined || text === '') return undefined
  if (asLocale(text) === text) return text
  throw new InvalidInput([{ field, message: 'Give a language tag such as en, de or pt-BR, or leave it out.' }])
}

/**
 * A language tag and its fallbacks, best first, in lower case: `zh-Hant-TW` gives zh-hant-tw, zh-hant, zh.
 * Empty for what is no tag.
 * @see RFC 4647 section 3.4
 */
export const languageRanges = (tag: string): readonly string[] => {
  const subtags = asLocale(tag)?.toLowerCase().split('-') ?? []
  const ranges: string[] = []
  while (subtags.length > 0) {
    ranges.push(subtags.join('-'))
    subtags.pop()
    // A single letter only introduces the next subtag.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
  return ranges
}
