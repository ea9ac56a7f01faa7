import { type GroupSubject, type LinkPurpose, type LinkSubject, takesSignUps, wordsIn } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import type { Texts } from './language.ts'
import { linkedText } from './linked-text.ts'
import { homeLink, noticePage, type Page, preferencesLink, signUpLink } from './page.ts'
import type { PageFace } from './page-face.ts'
import { feedTitle, feedTitles, maskedAddress, shownAddress } from './placeholders.ts'

/** `done`: by this request. `again`: by an earlier one. */
export type LinkOutcome = 'done' | 'again'

/** What a mailed link shows: one button that does it, or a notice that it was done already. */
export const linkPage = (
  texts: Texts,
  purpose: LinkPurpose,
  subject: LinkSubject,
  publicUrl: string,
  problem?: string,
): Page => {
  if (isDone(purpose, subject)) return linkOutcomePage(texts, purpose, 'again', subject, publicUrl)
  if (purpose === 'confirm' && subject.group !== undefined) return groupPage(texts, subject, subject.group, problem)
  const { title, question, button } = texts[purpose]
  const next = nextOf(purpose, subject)
  // Without an action, the form is sent to the URL of the page: the link itself.
  const content = html`<p>${fillMarkup(question, valuesOf(texts, subject))}</p>
<form method="post"><button type="submit">${button}</button></form>`
  return { texts, title, content, face: faceOf(subject), formTargets: next === undefined ? [] : [next] }
}

/** What stands before the name of a feed, in the name of its box; and the field that lists those that are shown. */
export const BOX = 'feed-'
export const BOXES = 'boxes'

/** A box for each feed of the form that is not confirmed yet, all of them ticked. */
const groupPage = (texts: Texts, subject: LinkSubject, group: readonly GroupSubject[], problem?: string): Page => {
  const { question, button, subscribed } = texts.several
  const open = group.filter(({ good, subscription }) => good && subscription.status === 'pending')
  const others = group.filter(({ subscription }) => subscription.status === 'confirmed').map(({ feed }) => feed)
  const boxes = open.map(
    ({
      feed,
    }) => html`<label class="tick"><input type="checkbox" name="${BOX}${feed.name}" value="on" checked> ${feedTitle(texts, feed)}</label>
`,
  )
  // Which of them it is depends on what stays ticked.
  const formTargets = open.flatMap(({ feed }) => feed.confirmedUrl ?? [])
  const content = html`${problem && html`<p class="alarm" role="alert">${problem}</p>`}
<form method="post">
<fieldset>
<legend>${fillMarkup(question, valuesOf(texts, subject))}</legend>
${boxes}</fieldset>
<input type="hidden" name="${BOXES}" value="${open.map(({ feed }) => feed.name).join(' ')}">
<button type="submit">${button} (<span class="ticked"><span>${String(open.length)}</span></span>)</button>
</form>
${others.length === 0 ? undefined : html`<p class="quiet">${fillMarkup(subscribed, { feeds: feedTitles(texts, others) })}</p>`}`
  return { texts, title: texts.confirm.title, content, face: faceOf(subject), formTargets }
}

/** The page after the button was pressed. */
export const linkOutcomePage = (
  texts: Texts,
  purpose: LinkPurpose,
  outcome: LinkOutcome,
  subject: LinkSubject,
  publicUrl: string,
): Page => {
  const { doneTitle, againTitle } = texts[purpose]
  const { done, again } = purpose === 'confirm' && subject.group !== undefined ? texts.several : texts[purpose]
  const isGone = purpose === 'unsubscribe' && subject.feed === undefined
  const text = isGone ? texts.unsubscribe.gone : outcome === 'done' ? done : again
  const title = outcome === 'done' ? doneTitle : againTitle
  const own = purpose === 'confirm' && subject.group === undefined ? confirmedText(texts, subject) : undefined
  const links = html`${own && html`<p class="lead">${linkedText(own)}</p>`}${wayBack(texts, purpose, subject, publicUrl)}${homeLink(texts, subject.feed)}`
  const notice = noticePage(texts, 'done', title, fillMarkup(text, valuesOf(texts, subject)), links)
  return { ...notice, face: faceOf(subject) }
}

/** Who has left may come back, with a fresh confirmation; who has refused, by the link to the preferences. */
const wayBack = (texts: Texts, purpose: LinkPurpose, { feed }: LinkSubject, publicUrl: string): Html | undefined => {
  if (purpose === 'refuse') return preferencesLink(texts, publicUrl)
  if (purpose !== 'unsubscribe' || feed === undefined || !takesSignUps(feed)) return undefined
  return signUpLink(texts, publicUrl, feed.name, texts.preferences.button.subscribe)
}

const faceOf = ({ feed, logo }: LinkSubject): PageFace | undefined => feed && { ...feed, logo }

/** What the feed says to those who have confirmed, in the language of the page. */
const confirmedText = ({ language }: Texts, { feed }: LinkSubject): string | undefined =>
  feed && wordsIn(feed.face, language).confirmed_text

/** Where to redirect after the button was pressed: a feed may have its own page for confirmed subscriptions. */
export const nextOf = (purpose: LinkPurpose, { feed, group }: LinkSubject): string | undefined => {
  if (purpose !== 'confirm') return undefined
  if (group === undefined) return feed?.confirmedUrl
  const [url, ...others] = new Set(group.filter(({ good }) => good).map((one) => one.feed.confirmedUrl))
  // If several feeds have different ones, none of them would be right.
  return others.length === 0 ? url : undefined
}

const isDone = (purpose: LinkPurpose, { subscription, group, refused = false }: LinkSubject): boolean => {
  if (purpose === 'refuse') return refused
  if (purpose === 'confirm')
    return group === undefined
      ? subscription?.status === 'confirmed'
      : !group.some(({ good, subscription }) => good && subscription.status === 'pending')
  return purpose === 'unsubscribe' && (subscription === undefined || subscription.status === 'ended')
}

const valuesOf = (
  texts: Texts,
  { subscription, feed, group = [], moved }: LinkSubject,
): Readonly<Record<string, Html>> => ({
  feeds: feedTitles(
    texts,
    group.filter(({ good }) => good).map(({ feed }) => feed),
  ),
  feed: feedTitle(texts, feed ?? { title: subscription?.feed ?? '', language: undefined }),
  address: shownAddress(subscription === undefined ? '' : moved ? '•••' : maskedAddress(subscription.email)),
})
