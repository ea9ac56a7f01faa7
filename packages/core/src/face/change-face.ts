import { InvalidInput } from '../errors.ts'
import { readAll } from '../read-all.ts'
import { asLocale } from '../subscriptions/locale.ts'
import { problemWithText } from '../text.ts'
import { type FeedFace, type TextByLanguage, WORDS, type WordName, type WordsByLanguage } from './feed-face.ts'
import type { LogoType } from './feed-logo.ts'

/** Those members of a face that a caller sets as a part of its feed; each as it was given. */
export interface GivenFace {
  readonly accent?: string | null | undefined
  readonly footer?: unknown
  readonly words?: unknown
  readonly welcome?: boolean | null | undefined
}

const COLOUR = /^#[0-9a-f]{6}$/i
const MOST_LANGUAGES = 20
const LONGEST_LINE = 200
const LONGEST_TEXT = 2_000
const ONE_LINE: ReadonlySet<string> = new Set<WordName>(['greeting', 'confirmation_subject', 'welcome_subject'])

const problem = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])

/** @throws {InvalidInput} it is no such colour */
export const parseAccent = (text: string | null | undefined): string | undefined => {
  if (text === undefined || text === null || text === '') return undefined
  if (COLOUR.test(text)) return text.toLowerCase()
  throw problem('accent', 'Give a colour as # and six hexadecimal digits, such as #1a56b0.')
}

/**
 * The footer, by language.
 * @throws {InvalidInput} it is not made of texts by language
 */
export const parseFooter = (given: unknown): TextByLanguage | undefined =>
  byLanguage('footer', given, (text, name) => textIn('footer', name, text))

/**
 * The words, by language and by name.
 * @throws {InvalidInput} it is not made of such texts
 */
export const parseWords = (given: unknown): WordsByLanguage | undefined =>
  byLanguage('words', given, (texts, language) => {
    const entries = Object.entries(membersOf('words', texts))
    const unknown = entries.find(([name]) => !WORDS.some((one) => one === name))
    if (unknown !== undefined)
      throw problem('words', `There are no words '${unknown[0]}'. Use some of ${WORDS.join(', ')}.`)
    const read = entries.flatMap(([name, text]) => {
      const label = `${language}.${name}`
      const said = textIn('words', label, text, ONE_LINE.has(name))
      return said === undefined ? [] : [[name, said]]
    })
    return read.length === 0 ? undefined : Object.fromEntries(read)
  })

type Members = Readonly<Record<string, unknown>>

const isObject = (given: unknown): given is Members =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const EXAMPLES = {
  footer: '{"en": "Example Ltd, 1 Example Street"}',
  words: '{"en": {"greeting": "Dear reader,"}}',
} as const

const membersOf = (field: keyof typeof EXAMPLES, given: unknown): Members => {
  if (isObject(given)) return given
  throw problem(field, `Give texts by language, such as ${EXAMPLES[field]}.`)
}

const byLanguage = <T>(
  field: keyof typeof EXAMPLES,
  given: unknown,
  read: (value: unknown, language: string) => T | undefined,
): Readonly<Record<string, T>> | undefined => {
  if (given === undefined || given === null) return undefined
  const entries = Object.entries(membersOf(field, given))
  if (entries.length > MOST_LANGUAGES) throw problem(field, `Give at most ${MOST_LANGUAGES} languages.`)
  const texts = entries.flatMap(([tag, value]): [string, T][] => {
    if (asLocale(tag) !== tag) throw problem(field, `'${tag}' is not a language tag such as en, de or pt-BR.`)
    const text = value === null ? undefined : read(value, tag)
    return text === undefined ? [] : [[tag, text]]
  })
  return texts.length === 0 ? undefined : Object.fromEntries(texts)
}

/** An empty text is none. */
const textIn = (field: string, name: string, text: unknown, inOneLine = false): string | undefined => {
  if (text === null || text === '') return undefined
  if (typeof text !== 'string') throw problem(field, `Give '${name}' as a text.`)
  const lines = text.replace(/\r\n?/g, '\n')
  const found = inOneLine
    ? problemWithText(text, LONGEST_LINE)
    : problemWithText(lines.replaceAll('\n', ' '), LONGEST_TEXT)
  if (found !== undefined) throw problem(field, `In '${name}': ${found}`)
  return lines.trim() || undefined
}

/**
 * A face as a whole record of its feed says it: what is given is as it is given, and what is not stays. So a program that
 * knows nothing of faces takes none away.
 * @throws {InvalidInput} with the problems of every member that has one
 */
export const putFace = (face: FeedFace, { accent, footer, words, welcome }: GivenFace): FeedFace => {
  const read = readAll({
    accent: () => (accent === undefined ? face.accent : parseAccent(accent)),
    footer: () => (footer === undefined ? face.footer : parseFooter(footer)),
    words: () => (words === undefined ? face.words : parseWords(words)),
    welcome: () => (welcome === undefined ? face.welcome : welcome || undefined),
  })
  return given({ ...face, ...read })
}

/** Without members that say nothing, so that equal faces are equal. */
const given = ({ logo, accent, footer, words, welcome }: FeedFace): FeedFace => ({
  ...(logo && { logo }),
  ...(accent && { accent }),
  ...(footer && { footer }),
  ...(words && { words }),
  ...(welcome && { welcome }),
})

export const withLogo = (face: FeedFace, logo: LogoType | undefined): FeedFace => given({ ...face, logo })

/**
 * The face after a change of some members: of footer and words, also of some texts (RFC 7396: null takes one away).
 * @throws {InvalidInput} with the problems of every member that has one
 */
export const changedFace = (face: FeedFace, { footer, words, ...others }: GivenFace): FeedFace =>
  putFace(face, {
    ...others,
    footer: footer === undefined ? undefined : merged(face.footer, footer),
    words: words === undefined ? undefined : merged(face.words, words),
  })

/** @see RFC 7396 section 2 */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch
  const result = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name)
    else result.set(name, merged(result.get(name), value))
  }
  return Object.fromEntries(result)
}
