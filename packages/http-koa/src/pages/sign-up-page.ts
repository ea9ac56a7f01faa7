import type { FieldProblem, PublicFeed } from '@rollcall/core'
import { challengeAttributes, challengeNotice } from './challenge.ts'
import { feedTitle } from './gaps.ts'
import { type Html, html } from './html.ts'
import { fill, fillMarkup, languageMark, type Texts } from './language.ts'
import { linkedText } from './linked-text.ts'
import type { Page } from './page.ts'
import { preferencesLink } from './preferences-link.ts'
import { problemText } from './problem-text.ts'
import { signUpSnippet } from './sign-up-snippet.ts'

/** What came with the form, where the page comes back with what is wrong with it. */
export interface Typed {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** Where the form is to be sent back to; one of the feed's. */
  readonly returnTo?: string | undefined
  /** When the form was first shown, signed: whoever corrects it need not wait again. */
  readonly stamp?: string | undefined
  readonly problems?: readonly FieldProblem[]
  /** Whether the form has a challenge to solve before it is sent. */
  readonly challenge?: boolean | undefined
}

/** Where to subscribe to a feed; or, where it is closed, that nobody can. */
export const signUpPage = (texts: Texts, feed: PublicFeed, publicUrl: string, typed: Typed = {}): Page => {
  const { signUp } = texts
  const { problems = [], returnTo } = typed
  const said = feed.open ? signUp.title : signUp.closedTitle
  const title = fill(said, { feed: feed.title })
  return {
    texts,
    title: problems.length === 0 ? title : fill(signUp.problemTitle, { title }),
    heading: fillMarkup(said, { feed: feedTitle(texts, feed) }),
    content: html`${alarm(texts, problems)}
${feed.description === '' ? undefined : paragraph(texts, feed, 'lead', feed.description)}
${feed.open ? form(texts, feed, typed) : html`<p>${signUp.closed}</p>`}
${preferencesLink(texts, publicUrl)}
${feed.open ? embedding(texts, feed, publicUrl, typed) : undefined}`,
    challenge: feed.open && typed.challenge,
    formTargets: feed.open && returnTo !== undefined ? [returnTo] : [],
  }
}

/** Something that a feed says in its own words, and its own language. */
const paragraph = (texts: Texts, { language }: PublicFeed, name: 'lead' | 'wording', text: string): Html =>
  html`<p class="${name}" id="${name}" dir="auto"${languageMark(texts, language)}>${linkedText(text)}</p>`

const FIELDS: readonly string[] = ['email', 'name']

/** What is wrong with more than a field that can be seen. */
const unseen = (problems: readonly FieldProblem[]) => problems.filter(({ field }) => !FIELDS.includes(field))

const alarm = (texts: Texts, problems: readonly FieldProblem[]): Html | undefined => {
  if (problems.length === 0) return undefined
  const others = unseen(problems)
  const told = others.map((one) => problemText(texts, one))
  if (others.length < problems.length) told.unshift(texts.signUp.problems)
  return html`<div role="alert" id="alarm">${told.map((text) => html`<p class="alarm">${text}</p>`)}</div>`
}

const form = (texts: Texts, feed: PublicFeed, { stamp = feed.stamp, returnTo, ...typed }: Typed): Html => {
  const { signUp, language } = texts
  const { problems = [] } = typed
  // The first thing to correct; where nothing of what was typed is wrong, to press again is all there is to do.
  const first = FIELDS.find((field) => problems.some((one) => one.field === field)) ?? (typed.email && 'submit')
  const focus = (what: string) => (what === first ? html` autofocus` : undefined)
  const wording = feed.wording ? paragraph(texts, feed, 'wording', feed.wording) : undefined
  const about = [unseen(problems).length > 0 ? 'alarm' : '', wording ? 'wording' : ''].filter(Boolean).join(' ')
  return html`<form method="post" action="subscribe"${typed.challenge ? challengeAttributes(texts, 'challenge') : undefined}>
${input(texts, 'email', typed, html`type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required${focus('email')}`)}
${input(texts, 'name', typed, html`type="text" autocomplete="name"${focus('name')}`)}
<div class="trap" aria-hidden="true">
<label for="website">${signUp.trap}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
<input type="hidden" name="feed" value="${feed.name}">
<input type="hidden" name="locale" value="${language}">
<input type="hidden" name="stamp" value="${stamp}">
${returnTo === undefined ? undefined : html`<input type="hidden" name="return_to" value="${returnTo}">`}
<p class="quiet">${signUp.intro}</p>
${wording}
${typed.challenge ? challengeNotice(texts) : undefined}
<button type="submit"${about === '' ? undefined : html` aria-describedby="${about}"`}${focus('submit')}>${signUp.submit}</button>
</form>`
}

const input = (texts: Texts, field: 'name' | 'email', typed: Typed, attributes: Html): Html => {
  const problem = typed.problems?.find((one) => one.field === field)
  const invalid = problem && html` aria-invalid="true" aria-describedby="${field}-problem"`
  const told = problem && html`<p class="problem" id="${field}-problem">${problemText(texts, problem)}</p>`
  return html`<label for="${field}">${texts.signUp[field]}</label>
<input id="${field}" name="${field}" ${attributes} value="${typed[field]}"${invalid}>
${told}`
}

const embedding = (texts: Texts, feed: PublicFeed, publicUrl: string, typed: Typed): Html => {
  const { embed, embedHint } = texts.signUp
  const snippet = signUpSnippet(texts, feed, publicUrl, typed)
  return html`<details>
<summary>${embed}</summary>
<p class="quiet" id="embed">${embedHint}</p>
<textarea aria-describedby="embed" aria-label="HTML" dir="ltr" readonly spellcheck="false">${snippet.text}</textarea>
</details>`
}
