import type { FieldProblem, PublicFeed } from '@rollcall/core'
import { type Html, html } from './html.ts'
import { fill, type Texts } from './language.ts'
import { layout } from './layout.ts'

/** What was typed before, where the page comes back with what is wrong with it. */
export interface Typed {
  readonly name: string
  readonly email: string
  readonly problems: readonly FieldProblem[]
}

const NOTHING_TYPED: Typed = { name: '', email: '', problems: [] }

export const signUpPage = (texts: Texts, feed: PublicFeed, publicUrl: string, typed = NOTHING_TYPED): string => {
  const { signUp, language } = texts
  const unseen = typed.problems.filter(({ field }) => field !== 'name' && field !== 'email')
  const alarm =
    typed.problems.length === 0
      ? undefined
      : html`<div role="alert"><p class="alarm">${signUp.problems}</p>${unseen.map((one) => html`<p class="alarm">${textOf(texts, one)}</p>`)}</div>`
  const content = html`${feed.description === '' ? undefined : html`<p>${feed.description}</p>`}
<p class="quiet">${signUp.intro}</p>
${alarm}
<form method="post" action="subscribe">
${input(texts, 'name', typed, html`type="text" autocomplete="name"`)}
${input(texts, 'email', typed, html`type="email" autocomplete="email" required`)}
<div class="trap" aria-hidden="true">
<label for="website">${signUp.trap}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
<input type="hidden" name="feed" value="${feed.name}">
<input type="hidden" name="locale" value="${language}">
<button type="submit">${signUp.submit}</button>
</form>
<details>
<summary>${signUp.embed}</summary>
<pre tabindex="0"><code>${snippet(texts, feed, publicUrl).text}</code></pre>
</details>`
  return layout(texts, fill(signUp.title, { feed: feed.title }), content)
}

const input = (texts: Texts, field: 'name' | 'email', typed: Typed, attributes: Html): Html => {
  const problem = typed.problems.find((one) => one.field === field)
  const invalid = problem && html` aria-invalid="true" aria-describedby="${field}-problem"`
  const told = problem && html`<p class="problem" id="${field}-problem">${textOf(texts, problem)}</p>`
  return html`<label for="${field}">${texts.signUp[field]}</label>
<input id="${field}" name="${field}" ${attributes} value="${typed[field]}"${invalid}>
${told}`
}

const textOf = ({ signUp }: Texts, { field, message }: FieldProblem): string => {
  const told: Readonly<Record<string, string>> = signUp.problem
  return Object.hasOwn(told, field) ? (told[field] ?? message) : message
}

/** For somebody else's page: the same form, as little as it takes. */
const snippet = ({ signUp, language }: Texts, feed: PublicFeed, publicUrl: string): Html =>
  html`<form method="post" action="${publicUrl}/subscribe">
  <label>${signUp.email} <input name="email" type="email" autocomplete="email" required></label>
  <input name="website" type="text" tabindex="-1" autocomplete="off" aria-hidden="true" style="position:absolute;left:-10000px">
  <input name="feed" type="hidden" value="${feed.name}">
  <input name="locale" type="hidden" value="${language}">
  <button type="submit">${signUp.submit}</button>
</form>`
