import { type Html, html } from './html.ts'
import type { Texts } from './language.ts'
import type { MarkName } from './mark.ts'
import type { Page } from './page.ts'

/** Says something; there is nothing to do, but perhaps a way to go on. */
export const noticePage = (texts: Texts, mark: MarkName, title: string, text: string | Html, way?: Html): Page => ({
  texts,
  title,
  mark,
  content: html`<p>${text}</p>${way}`,
})
