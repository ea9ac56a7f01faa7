import { languageRanges, type Mail } from '@rollcall/core'

export const DEFAULT_LANGUAGE = 'en'

/**
 * The languages that a mail may be in, the best first: its reader's, that of its feed, and English. Each is followed by
 * what RFC 4647 has it fall back on.
 */
export const languagesOf = ({ locale, feed }: Pick<Mail, 'locale' | 'feed'>): readonly string[] =>
  [locale, feed.language, DEFAULT_LANGUAGE].flatMap((tag) => (tag === undefined ? [] : languageRanges(tag)))
