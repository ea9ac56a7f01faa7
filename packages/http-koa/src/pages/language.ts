import { languageRanges } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }

/** All texts of the pages in one language, as in a file of `languages`. Words in braces are placeholders. */
export type Texts = typeof en

/** Texts by language tag in lower case. */
export type Languages = ReadonlyMap<string, Texts>

export const DEFAULT_LANGUAGE: Texts = en

export const SHIPPED_LANGUAGES: Languages = new Map([en, de, fr, es].map((texts) => [texts.language, texts]))

/** The texts in the first of the languages that has some. */
export const textsFor = (languages: Languages, tags: readonly (string | undefined)[]): Texts | undefined => {
  for (const range of tags.flatMap((tag) => languageRanges(tag ?? ''))) {
    const texts = languages.get(range)
    if (texts !== undefined) return texts
  }
  return undefined
}

const RIGHT_TO_LEFT = /^(?:Adlm|Arab|Aran|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa)$/

/** The writing direction of the language: that of its script, given or likely. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'

/** A `lang` attribute for a text whose language differs from that of the page. */
export const languageMark = ({ language }: Texts, given: string | undefined): Html | undefined =>
  given === undefined || languageRanges(given).includes(language.toLowerCase()) ? undefined : html` lang="${given}"`
