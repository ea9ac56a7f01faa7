import { languageRanges } from '@rollcall/core'
import type { Context } from '../exchange.ts'
import { type Html, html } from './html.ts'
import { LAST_RESORT, type Languages, type Texts } from './languages.ts'

export type { Texts }

/** The texts for the first of the preferred language tags that there are some for; else what the client accepts. */
export const languageOf = (ctx: Context, ...preferred: readonly (string | undefined)[]): Texts => {
  const { languages } = ctx.state.rollcall.pages
  return textsFor(languages, preferred) ?? textsFor(languages, ctx.acceptsLanguages()) ?? LAST_RESORT
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

/** Which way the language is written: that of its script, given or likely. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'

/** An attribute that names the language of a text where it is not that of the page. */
export const languageMark = ({ language }: Texts, given: string | undefined): Html | undefined =>
  given === undefined || languageRanges(given).includes(language.toLowerCase()) ? undefined : html` lang="${given}"`

/** The text with its gaps filled, such as `{feed}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap)

/** As `fill`, but what is filled in may be markup. */
export const fillMarkup = (text: string, values: Readonly<Record<string, Html>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? html`${part}` : (values[part] ?? html`{${part}}`)))}`
