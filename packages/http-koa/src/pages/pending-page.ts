import { shownAddress } from './gaps.ts'
import { html } from './html.ts'
import { fillMarkup, type Texts } from './language.ts'
import { noticePage } from './notice-page.ts'
import type { Page } from './page.ts'
import { signUpLink } from './sign-up-link.ts'

/** What follows a sign-up, whatever was known of the address. */
export const pendingPage = (texts: Texts, publicUrl: string, address: string, feed: string): Page => {
  const { title, text, hint } = texts.pending
  const way = html`<p class="quiet">${hint}</p>${signUpLink(texts, publicUrl, feed)}`
  return noticePage(texts, 'mail', title, fillMarkup(text, { address: shownAddress(address) }), way)
}
