import type { PublicFeed } from '@rollcall/core'
import { type Html, html } from './html.ts'
import { languageMark, type Texts } from './language.ts'

// Isolated, because what stands in a sentence may be written the other way than the sentence.

/** A feed's title within a sentence. */
export const feedTitle = (texts: Texts, { title, language }: Pick<PublicFeed, 'title' | 'language'>): Html =>
  html`<bdi${languageMark(texts, language)}>${title}</bdi>`

/** An address within a sentence. */
export const shownAddress = (address: string): Html => html`<bdi dir="ltr">${address}</bdi>`
