import { InvalidInput } from '../errors.ts'

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
 * A language tag, or undefined if none was given.
 * @throws {InvalidInput} it is not well-formed
 * @see RFC 5646 (BCP 47)
 */
export const parseLocale = (locale: string | undefined, field = 'locale'): string | undefined => {
  if (locale === undefined || locale === '') return undefined
  if (locale.length <= LONGEST && LANGUAGE_TAG.test(locale)) return locale
  throw new InvalidInput([{ field, message: 'Give a language tag such as en, de or pt-BR, or leave it out.' }])
}

/**
 * A language tag and its fallbacks, best first, in lower case: `zh-Hant-TW` gives zh-hant-tw, zh-hant, zh.
 * Empty for a tag that is too long.
 * @see RFC 4647 section 3.4
 */
export const languageRanges = (tag: string): readonly string[] => {
  if (tag.length > LONGEST) return []
  const subtags = tag.toLowerCase().split('-')
  const ranges: string[] = []
  while (subtags.length > 0) {
    ranges.push(subtags.join('-'))
    subtags.pop()
    // A single letter only introduces the next subtag.
    if (subtags.at(-1)?.length === 1) subtags.pop()
  }
  return ranges
}
