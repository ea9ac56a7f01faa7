import { html } from '@rollcall/platform-node'
import type { Texts } from './language.ts'
import { noticePage, type Page } from './page.ts'

/** The page behind the link in a sender's mails: one button, and nothing about the subscription. */
export const managePage = (texts: Texts): Page => {
  const { title, intro, button } = texts.manage
  const content = html`<p>${intro}</p>
<form method="post"><button>${button}</button></form>`
  return { texts, title, content }
}

/** The same page whatever became of the subscription. */
export const managedPage = (texts: Texts): Page => {
  const { askedTitle, asked, hint } = texts.manage
  return noticePage(texts, 'mail', askedTitle, html`${asked}`, html`<p class="quiet">${hint}</p>`)
}
