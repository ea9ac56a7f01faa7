import type { FieldProblem, PublicFeed } from '@rollcall/core'
import { alertOf, challengeAttributes, challengeNotice, honeypot, input, type Typed } from './form.ts'
import { type Html, html, linkedText } from './html.ts'
import { languageMark, type Texts } from './language.ts'
import { homeLink, noticePage, type Page, preferencesLink, signUpLink } from './page.ts'
import { feedTitle, fill, fillMarkup, shownAddress } from './placeholders.ts'

/** The form to subscribe to a feed; or, if the feed is closed, a page that says so. */
export const signUpPage = (texts: Texts, feed: PublicFeed, publicUrl: string, typed: Typed = {}): Page => {
  const { signUp } = texts
  const { problems = [], returnTo } = typed
  const template = feed.open ? signUp.title : signUp.closedTitle
  const title = fill(template, { feed: feed.title })
  return {
    texts,
    title: problems.length === 0 ? title : fill(signUp.problemTitle, { title }),
    heading: fillMarkup(template, { feed: feedTitle(texts, feed) }),
    content: html`${alertOf(texts, problems, FIELDS, html` id="alarm"`)}
${feed.description === '' ? undefined : paragraph(texts, feed, 'lead', feed.description)}
${feed.open ? form(texts, feed, typed) : html`<p>${signUp.closed}</p>`}
${preferencesLink(texts, publicUrl)}`,
    challenge: feed.open && typed.challenge,
    formTargets: feed.open && returnTo !== undefined ? [returnTo] : [],
  }
}

/** A text of the feed, in the feed's own language. */
const paragraph = (texts: Texts, { language }: PublicFeed, name: 'lead' | 'wording', text: string): Html =>
  html`<p class="${name}" id="${name}" dir="auto"${languageMark(texts, language)}>${linkedText(text)}</p>`

const FIELDS: readonly string[] = ['email', 'name']

const hasHiddenProblem = (problems: readonly FieldProblem[]) => problems.some(({ field }) => !FIELDS.includes(field))

const form = (texts: Texts, feed: PublicFeed, { stamp = feed.stamp, returnTo, ...typed }: Typed): Html => {
  const { signUp, language } = texts
  const { problems = [] } = typed
  // The first field to correct; or, if no visible field is wrong, the button.
  const first = FIELDS.find((field) => problems.some((one) => one.field === field)) ?? (typed.email && 'submit')
  const focus = (name: string) => (name === first ? html` autofocus` : undefined)
  const wording = feed.wording ? paragraph(texts, feed, 'wording', feed.wording) : undefined
  const describedBy = [hasHiddenProblem(problems) ? 'alarm' : '', wording ? 'wording' : ''].filter(Boolean).join(' ')
  return html`<form method="post" action="subscribe"${typed.challenge ? challengeAttributes(texts, 'challenge') : undefined}>
${input(texts, 'email', typed, html`type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required${focus('email')}`)}
${input(texts, 'name', typed, html`type="text" autocomplete="name"${focus('name')}`)}
${honeypot(texts)}
<input type="hidden" name="feed" value="${feed.name}">
<input type="hidden" name="locale" value="${language}">
<input type="hidden" name="stamp" value="${stamp}">
${returnTo === undefined ? undefined : html`<input type="hidden" name="return_to" value="${returnTo}">`}
<p class="quiet">${signUp.intro}</p>
${wording}
${typed.challenge ? challengeNotice(texts) : undefined}
<button type="submit"${describedBy === '' ? undefined : html` aria-describedby="${describedBy}"`}${focus('submit')}>${signUp.submit}</button>
</form>`
}

/** The page after a sign-up; the same whether or not the address is known. */
export const pendingPage = (texts: Texts, publicUrl: string, address: string, feed: PublicFeed): Page => {
  const { title, text, hint } = texts.pending
  const links = html`<p class="quiet">${hint}</p>${homeLink(texts, feed)}${signUpLink(texts, publicUrl, feed.name)}`
  return noticePage(texts, 'mail', title, fillMarkup(text, { address: shownAddress(address) }), links)
}
