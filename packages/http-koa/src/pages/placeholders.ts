import type { PublicFeed } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { languageMark, type Texts } from './language.ts'

const ownOf = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** The text with its placeholders, such as `{feed}`, replaced. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => ownOf(values, name) ?? placeholder)

// Values are isolated with <bdi>, because their writing direction may differ from that of the sentence.

/** A feed's title within a sentence. */
export const feedTitle = (texts: Texts, { title, language }: Pick<PublicFeed, 'title' | 'language'>): Html =>
  html`<bdi${languageMark(texts, language)}>${title}</bdi>`

/** The titles of several feeds within a sentence. */
export const feedTitles = (texts: Texts, feeds: readonly Pick<PublicFeed, 'title' | 'language'>[]): Html => {
  const parts = new Intl.ListFormat(texts.language).formatToParts(feeds.map((_, index) => `${index}`))
  return html`${parts.map(({ type, value }) => {
    const feed = type === 'element' ? feeds[Number(value)] : undefined
    return feed === undefined ? html`${value}` : feedTitle(texts, feed)
  })}`
}

/** An address within a sentence. */
export const shownAddress = (address: string): Html => html`<bdi dir="ltr">${address}</bdi>`

const firstOf = (text: string): string => [...text][0] ?? ''

/** Enough of an address for its owner to tell it from others of their own, and too little to write to: `b•••@example.com`. */
export const maskedAddress = (address: string): string =>
  `${firstOf(address)}•••${address.slice(address.lastIndexOf('@'))}`
