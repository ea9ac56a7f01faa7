import type { PublicFeed } from '@rollcall/core'
import { type Html, html } from './html.ts'
import { languageMark, type Texts } from './language.ts'

/** The text with its placeholders, such as `{feed}`, replaced. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)

/** As `fill`, but the values may be markup. */
export const fillMarkup = (text: string, values: Readonly<Record<string, Html>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? html`${part}` : (values[part] ?? html`{${part}}`)))}`

// Values are isolated with <bdi>, because their writing direction may differ from that of the sentence.

/** A feed's title within a sentence. */
export const feedTitle = (texts: Texts, { title, language }: Pick<PublicFeed, 'title' | 'language'>): Html =>
  html`<bdi${languageMark(texts, language)}>${title}</bdi>`

/** An address within a sentence. */
export const shownAddress = (address: string): Html => html`<bdi dir="ltr">${address}</bdi>`

const firstOf = (text: string): string => [...text][0] ?? ''

/** Enough of an address for its owner to recognise it, and too little for others: `b•••@e•••.com`. */
export const maskedAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const end = dot < 0 ? '' : domain.slice(dot)
  return `${firstOf(address)}•••@${firstOf(domain)}•••${end}`
}
