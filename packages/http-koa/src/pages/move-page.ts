import type { MovePurpose, MoveSubject } from '@rollcall/core'
import { fillMarkup, type Html, html } from '@rollcall/platform-node'
import { alertOf, ownField, requiredMark, type Typed } from './form.ts'
import type { Texts } from './language.ts'
import type { LinkOutcome } from './link-page.ts'
import { homeLink, noticePage, type Page } from './page.ts'
import { feedTitle, maskedAddress, shownAddress } from './placeholders.ts'

/** What a link about a change of address shows: one button that does it, or a notice that it was done already. */
export const movePage = (texts: Texts, purpose: MovePurpose, subject: MoveSubject): Page => {
  if (subject.already) return moveOutcomePage(texts, purpose, 'again', subject)
  const { title, question, button } = texts[purpose]
  const address = shownAddress(subject.email === undefined ? '' : maskedAddress(subject.email))
  // Without an action, the form is sent to the URL of the page: the link itself.
  const content = html`<p>${fillMarkup(question, { address })}</p>
<ul>${subject.feeds.map((feed) => html`<li>${feedTitle(texts, feed)}</li>`)}</ul>
<form method="post"><button type="submit">${button}</button></form>`
  return { texts, title, content }
}

/** The page after the button was pressed. */
export const moveOutcomePage = (
  texts: Texts,
  purpose: MovePurpose,
  outcome: LinkOutcome,
  { feeds }: Pick<MoveSubject, 'feeds'>,
): Page => {
  const { doneTitle, done, againTitle, again } = texts[purpose]
  const [title, text] = outcome === 'done' ? [doneTitle, done] : [againTitle, again]
  return noticePage(texts, 'done', title, text, homeLink(texts, feeds[0]))
}

/** The part of the preferences page where the owner names another address. */
export const moveSection = (texts: Texts, token: string, typed: Pick<Typed, 'email' | 'problems'> = {}): Html => {
  const { title, intro, label, button, problem } = texts.preferences.move
  const wrong = (typed.problems ?? []).length > 0
  const invalid = wrong ? html` aria-invalid="true" aria-describedby="move-problem" autofocus` : undefined
  return html`<section aria-labelledby="move">
<h2 id="move">${title}</h2>
<p>${intro}</p>
<form method="post" action="${token}/move">
<label for="email">${label}${requiredMark(texts)}</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="off" spellcheck="false" required value="${typed.email}"${invalid}>
${wrong ? html`<p class="problem" id="move-problem">${problem}</p>` : undefined}
<button type="submit" class="second">${button}</button>
</form>
</section>`
}

/** The form alone, if what was typed cannot be taken. */
export const moveProblemPage = (texts: Texts, token: string, typed: Pick<Typed, 'email' | 'problems'>): Page => {
  const { title, label, problem } = texts.preferences.move
  const content = html`${alertOf(texts, typed.problems ?? [], [{ ...ownField(texts, 'email'), label, problem }])}${moveSection(texts, `../${token}`, typed)}`
  return { texts, title, content }
}

/** The same page whatever is known of the new address. */
export const moveRequestedPage = (texts: Texts, address: string): Page => {
  const { askedTitle, asked } = texts.preferences.move
  return noticePage(texts, 'mail', askedTitle, fillMarkup(asked, { address: shownAddress(address) }))
}
