import type { LinkPurpose, LinkSubject } from '@rollcall/core'
import { html } from './html.ts'
import type { Texts } from './language.ts'
import { homeLink, noticePage, type Page } from './page.ts'
import { feedTitle, fillMarkup, maskedAddress, shownAddress } from './placeholders.ts'

/** `done`: by this request. `again`: by an earlier one. */
export type LinkOutcome = 'done' | 'again'

/** What a mailed link shows: one button that does it, or a notice that it was done already. */
export const linkPage = (texts: Texts, purpose: LinkPurpose, subject: LinkSubject): Page => {
  if (isDone(purpose, subject)) return linkOutcomePage(texts, purpose, 'again', subject)
  const { title, question, button } = texts[purpose]
  const next = nextOf(purpose, subject)
  // Without an action, the form is sent to the URL of the page: the link itself.
  const content = html`<p>${fillMarkup(question, valuesOf(texts, subject))}</p>
<form method="post"><button type="submit">${button}</button></form>`
  return { texts, title, content, formTargets: next === undefined ? [] : [next] }
}

/** The page after the button was pressed. */
export const linkOutcomePage = (
  texts: Texts,
  purpose: LinkPurpose,
  outcome: LinkOutcome,
  subject: LinkSubject,
): Page => {
  const { doneTitle, done, againTitle, again } = texts[purpose]
  const [title, text] = outcome === 'done' ? [doneTitle, done] : [againTitle, again]
  return noticePage(texts, 'done', title, fillMarkup(text, valuesOf(texts, subject)), homeLink(texts, subject.feed))
}

/** Where to redirect after the button was pressed: a feed may have its own page for confirmed subscriptions. */
export const nextOf = (purpose: LinkPurpose, { feed }: LinkSubject): string | undefined =>
  purpose === 'confirm' ? feed?.confirmedUrl : undefined

const isDone = (purpose: LinkPurpose, { subscription }: LinkSubject): boolean => {
  if (purpose === 'confirm') return subscription?.status === 'confirmed'
  return purpose === 'unsubscribe' && (subscription === undefined || subscription.status === 'ended')
}

const valuesOf = (texts: Texts, { subscription, feed }: LinkSubject) => ({
  feed: feedTitle(texts, feed ?? { title: subscription?.feed ?? '', language: undefined }),
  address: shownAddress(subscription === undefined ? '' : maskedAddress(subscription.email)),
})
