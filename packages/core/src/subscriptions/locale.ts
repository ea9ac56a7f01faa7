import { InvalidInput } from '../errors.ts'

// Well-formedness of RFC 5646 section 2.1, less the grandfathered tags; whether a subtag is registered is not asked.
const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
const LONGEST = 35

/**
 * A language tag, or undefined where none was given.
 * @throws {InvalidInput} it is not well-formed
 * @see RFC 5646 (BCP 47)
 */
export const parseLocale = (locale: string | undefined, field = 'locale'): string | undefined => {
  if (locale === undefined || locale === '') return undefined
  if (locale.length <= LONGEST && LANGUAGE_TAG.test(locale)) return locale
  throw new InvalidInput([{ field, message: 'Give a language tag such as en, de or pt-BR, or leave it out.' }])
}
