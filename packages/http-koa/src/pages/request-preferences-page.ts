import type { FieldProblem } from '@rollcall/core'
import { alertOf, challengeAttributes, challengeNotice, honeypot, problemText } from './form.ts'
import { html } from './html.ts'
import type { Texts } from './language.ts'
import { noticePage, type Page } from './page.ts'
import { fill, fillMarkup, shownAddress } from './placeholders.ts'

/** What was typed before, when the form is shown again with its problems. */
export interface TypedAddress {
  readonly email?: string | undefined
  readonly problems?: readonly FieldProblem[]
  /** Whether a challenge must be solved before the form is sent. */
  readonly challenge?: boolean | undefined
}

/** The form that asks for the link to the preferences of an address. */
export const requestPreferencesPage = (
  texts: Texts,
  { email, problems = [], challenge = false }: TypedAddress = {},
): Page => {
  const { preferences, signUp, language } = texts
  const { title, intro, button } = preferences.ask
  const problem = problems.find(({ field }) => field === 'email')
  const invalid = problem && html` aria-invalid="true" aria-describedby="email-problem" autofocus`
  const content = html`${alertOf(texts, problems, ['email'])}
<p>${intro}</p>
<form method="post" action="preferences"${challenge ? challengeAttributes(texts, 'challenge') : undefined}>
<label for="email">${signUp.email}</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required value="${email}"${invalid}>
${problem && html`<p class="problem" id="email-problem">${problemText(texts, problem)}</p>`}
${honeypot(texts)}
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

/** The same page whether or not the address is known. */
export const preferencesRequestedPage = (texts: Texts, address: string): Page => {
  const { askedTitle, asked, hint } = texts.preferences.ask
  const text = fillMarkup(asked, { address: shownAddress(address) })
  return noticePage(texts, 'mail', askedTitle, text, html`<p class="quiet">${hint}</p>`)
}
