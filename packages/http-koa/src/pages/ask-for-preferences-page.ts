import type { FieldProblem } from '@rollcall/core'
import { challengeAttributes, challengeNotice } from './challenge.ts'
import { shownAddress } from './gaps.ts'
import { type Html, html } from './html.ts'
import { fill, fillMarkup, type Texts } from './language.ts'
import { noticePage } from './notice-page.ts'
import type { Page } from './page.ts'
import { problemText } from './problem-text.ts'

/** What was typed before, where the page comes back with what is wrong with it. */
export interface TypedAddress {
  readonly email?: string | undefined
  readonly problems?: readonly FieldProblem[]
  /** Whether the form has a challenge to solve before it is sent. */
  readonly challenge?: boolean | undefined
}

/** Where an address asks for the link to its preferences. */
export const askForPreferencesPage = (
  texts: Texts,
  { email, problems = [], challenge = false }: TypedAddress = {},
): Page => {
  const { preferences, signUp, language } = texts
  const { title, intro, button } = preferences.ask
  const problem = problems.find(({ field }) => field === 'email')
  const invalid = problem && html` aria-invalid="true" aria-describedby="email-problem" autofocus`
  const content = html`${alarm(texts, problems)}
<p>${intro}</p>
<form method="post" action="preferences"${challenge ? challengeAttributes(texts, 'challenge') : undefined}>
<label for="email">${signUp.email}</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required value="${email}"${invalid}>
${problem && html`<p class="problem" id="email-problem">${problemText(texts, problem)}</p>`}
<div class="trap" aria-hidden="true">
<label for="website">${signUp.trap}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off">
</div>
<input type="hidden" name="locale" value="${language}">
${challenge ? challengeNotice(texts) : undefined}
<button type="submit">${button}</button>
</form>`
  return {
    texts,
    title: problems.length === 0 ? title : fill(signUp.problemTitle, { title }),
    heading: html`${title}`,
    content,
    challenge,
  }
}

const alarm = (texts: Texts, problems: readonly FieldProblem[]): Html | undefined => {
  if (problems.length === 0) return undefined
  const told = problems.filter(({ field }) => field !== 'email').map((one) => problemText(texts, one))
  if (told.length < problems.length) told.unshift(texts.signUp.problems)
  return html`<div role="alert">${told.map((text) => html`<p class="alarm">${text}</p>`)}</div>`
}

/** What follows, whatever was known of the address. */
export const askedForPreferencesPage = (texts: Texts, address: string): Page => {
  const { askedTitle, asked, hint } = texts.preferences.ask
  const told = fillMarkup(asked, { address: shownAddress(address) })
  return noticePage(texts, 'mail', askedTitle, told, html`<p class="quiet">${hint}</p>`)
}
