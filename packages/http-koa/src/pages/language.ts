import { languageRanges } from '@rollcall/core'
import type { Context } from '../exchange.ts'
import { type Html, html } from './html.ts'
import { DEFAULT_LANGUAGE, type Languages, type Texts } from './languages.ts'

export type { Texts }

/** The texts in the first of the preferred languages that has some; else in one that the client accepts. */
export const languageOf = (ctx: Context, ...preferred: readonly (string | undefined)[]): Texts => {
  const { languages } = ctx.state.rollcall.pages
  return textsFor(languages, preferred) ?? textsFor(languages, ctx.acceptsLanguages()) ?? DEFAULT_LANGUAGE
}

const textsFor = (languages: Languages, tags: readonly (string | undefined)[]): Texts | undefined => {
  for (const tag of tags) {
    for (const range of languageRanges(tag ?? '')) {
      const texts = languages.get(range)
      if (texts !== undefined) return texts
    }
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
