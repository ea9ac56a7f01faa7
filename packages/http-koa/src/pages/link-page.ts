import type { LinkPurpose, LinkSubject } from '@rollcall/core'
import { feedTitle, shownAddress } from './gaps.ts'
import { html } from './html.ts'
import { fillMarkup, type Texts } from './language.ts'
import { maskedAddress } from './masked-address.ts'
import { noticePage } from './notice-page.ts'
import type { Page } from './page.ts'

/** `done`: just now. `again`: it was so before. */
export type LinkOutcome = 'done' | 'again'

/** What a mailed link shows: the one button that does it, or that there is nothing left to do. */
export const linkPage = (texts: Texts, purpose: LinkPurpose, subject: LinkSubject): Page => {
  if (isOver(purpose, subject)) return linkOutcomePage(texts, purpose, 'again', subject)
  const { title, question, button } = texts[purpose]
  const next = nextOf(purpose, subject)
  // Without an action, the form goes back to where the page came from: the link itself.
  const content = html`<p>${fillMarkup(question, gapsOf(texts, subject))}</p>
<form method="post"><button type="submit">${button}</button></form>`
  return { texts, title, content, formTargets: next === undefined ? [] : [next] }
}

/** What became of pressing the button. */
export const linkOutcomePage = (
  texts: Texts,
  purpose: LinkPurpose,
  outcome: LinkOutcome,
  subject: LinkSubject,
): Page => {
  const { doneTitle, done, againTitle, again } = texts[purpose]
  const [title, text] = outcome === 'done' ? [doneTitle, done] : [againTitle, again]
  return noticePage(texts, 'done', title, fillMarkup(text, gapsOf(texts, subject)))
}

/** Where the button leads on to, beyond its own outcome: the feed may have a page of its own for who has confirmed. */
export const nextOf = (purpose: LinkPurpose, { feed }: LinkSubject): string | undefined =>
  purpose === 'confirm' ? feed?.confirmedUrl : undefined

const isOver = (purpose: LinkPurpose, { subscription }: LinkSubject): boolean => {
  if (purpose === 'confirm') return subscription?.status === 'confirmed'
  return purpose === 'unsubscribe' && (subscription === undefined || subscription.status === 'ended')
}

const gapsOf = (texts: Texts, { subscription, feed }: LinkSubject) => ({
  feed: feedTitle(texts, feed ?? { title: subscription?.feed ?? '', language: undefined }),
  address: shownAddress(subscription === undefined ? '' : maskedAddress(subscription.email)),
})
