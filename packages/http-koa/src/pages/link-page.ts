import type { LinkPurpose, LinkSubject } from '@rollcall/core'
import { html } from './html.ts'
import { fill, type Texts } from './language.ts'
import { layout } from './layout.ts'
import { maskedAddress } from './masked-address.ts'
import { noticePage } from './notice-page.ts'

/** `done`: just now. `again`: it was so before. */
export type LinkOutcome = 'done' | 'again'

/** What a mailed link shows: the one button that does it, or that there is nothing left to do. */
export const linkPage = (texts: Texts, purpose: LinkPurpose, subject: LinkSubject): string => {
  if (isOver(purpose, subject)) return linkOutcomePage(texts, purpose, 'again', subject)
  const { title, question, button } = texts[purpose]
  // Without an action, the form goes back to where the page came from: the link itself.
  const form = html`<p>${fill(question, gapsOf(subject))}</p>
<form method="post"><button type="submit">${button}</button></form>`
  return layout(texts, title, form)
}

/** What became of pressing the button. */
export const linkOutcomePage = (
  texts: Texts,
  purpose: LinkPurpose,
  outcome: LinkOutcome,
  subject: LinkSubject,
): string => {
  const { doneTitle, done, againTitle, again } = texts[purpose]
  const [title, text] = outcome === 'done' ? [doneTitle, done] : [againTitle, again]
  return noticePage(texts, title, fill(text, gapsOf(subject)))
}

const isOver = (purpose: LinkPurpose, { subscription }: LinkSubject): boolean => {
  if (purpose === 'confirm') return subscription?.status === 'confirmed'
  return purpose === 'unsubscribe' && (subscription === undefined || subscription.status === 'ended')
}

const gapsOf = ({ subscription, feed }: LinkSubject) => ({
  feed: feed?.title ?? subscription?.feed ?? '',
  address: subscription === undefined ? '' : maskedAddress(subscription.email),
})
