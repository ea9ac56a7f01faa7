import { languageRanges } from '../subscriptions/locale.ts'
import type { LogoType } from './feed-logo.ts'

/** What an operator may say in place of, or beside, the words of the service. */
export const WORDS = [
  'greeting',
  'confirmation_subject',
  'confirmation_text',
  'welcome_subject',
  'welcome_text',
  'sign_up_text',
  'confirmed_text',
] as const

export type WordName = (typeof WORDS)[number]

/** Plain texts by language tag. */
export type TextByLanguage = Readonly<Record<string, string>>

export type WordsByLanguage = Readonly<Record<string, Readonly<Partial<Record<WordName, string>>>>>

/** What a feed looks like, and says, in its mails and pages. Every text of it is the operator's. */
export interface FeedFace {
  /** The type of its logo, if it has one; the logo itself is kept apart, as lists of feeds do not need it. */
  readonly logo?: LogoType | undefined
  /** A colour as `#rrggbb`, in lower case. */
  readonly accent?: string | undefined
  /** What stands below every mail and page, such as an imprint: lines, by language tag. */
  readonly footer?: TextByLanguage | undefined
  readonly words?: WordsByLanguage | undefined
  /** Whether those who have confirmed are welcomed by a mail. */
  readonly welcome?: true | undefined
}

/** What is said in this language or in what it falls back on; nothing in another, as that would mix two languages. */
export const wordsIn = ({ words = {} }: FeedFace, language: string): Readonly<Partial<Record<WordName, string>>> =>
  entryIn(words, [language])?.[1] ?? {}

/** The footer in the first of these languages that has one, else in whatever there is: an imprint must be there. */
export const footerIn = (
  { footer = {} }: FeedFace,
  languages: readonly (string | undefined)[],
): { readonly text: string; readonly language: string } | undefined => {
  const [language, text] = entryIn(footer, languages) ?? Object.entries(footer)[0] ?? []
  return text === undefined || language === undefined ? undefined : { text, language }
}

const entryIn = <T>(
  all: Readonly<Record<string, T>>,
  languages: readonly (string | undefined)[],
): [string, T] | undefined => {
  const entries = Object.entries(all)
  for (const range of languages.flatMap((language) => languageRanges(language ?? ''))) {
    const found = entries.find(([tag]) => tag.toLowerCase() === range)
    if (found !== undefined) return found
  }
  return undefined
}
