import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'
import { layout } from './layout.ts'

/** Says something; there is nothing to do, but perhaps a way to go on. */
export const noticePage = (texts: Texts, title: string, text: string, way?: Html): string =>
  layout(texts, title, html`<p>${text}</p>${way}`)
