import { html } from './html.ts'
import type { Texts } from './language.ts'
import { layout } from './layout.ts'

/** Says something; there is nothing to do. */
export const noticePage = (texts: Texts, title: string, text: string): string =>
  layout(texts, title, html`<p>${text}</p>`)
