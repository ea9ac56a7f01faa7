import { FIELD_PREFIX, type FieldProblem } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import type { Texts } from './language.ts'

/** What was typed before, when the form is shown again with its problems. */
export interface Typed {
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** Where to redirect after the sign-up; one of the feed's return URLs. */
  readonly returnTo?: string | undefined
  /** The signed time when the form was first shown, so that a person who corrects it need not wait again. */
  readonly stamp?: string | undefined
  /** What was given for the fields of the feed, by their names. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  readonly problems?: readonly FieldProblem[]
  /** Whether a challenge must be solved before the form is sent. */
  readonly challenge?: boolean | undefined
}

/** The problem of a field, in the language of the page if that has a text for it. */
const problemText = ({ signUp }: Texts, { field, message }: FieldProblem): string => {
  const known: Readonly<Record<string, string>> = signUp.problem
  if (field.startsWith(FIELD_PREFIX)) return signUp.problem.field
  return Object.hasOwn(known, field) ? (known[field] ?? message) : message
}

/** An alert with the problems that are not shown beside one of the visible fields. */
export const alertOf = (
  texts: Texts,
  problems: readonly FieldProblem[],
  visibleFields: readonly string[],
  id?: Html,
): Html | undefined => {
  if (problems.length === 0) return undefined
  const alerts = problems.filter(({ field }) => !visibleFields.includes(field)).map((one) => problemText(texts, one))
  if (alerts.length < problems.length) alerts.unshift(texts.signUp.problems)
  return html`<div role="alert"${id}>${alerts.map((text) => html`<p class="alarm">${text}</p>`)}</div>`
}

/** A field with its label, what was typed, and what is wrong with that. */
export const input = (texts: Texts, field: 'name' | 'email', typed: Typed, attributes: Html, focus?: Html): Html => {
  const problem = typed.problems?.find((one) => one.field === field)
  const invalid = problem && html` aria-invalid="true" aria-describedby="${field}-problem"`
  const message = problem && html`<p class="problem" id="${field}-problem">${problemText(texts, problem)}</p>`
  return html`<label for="${field}">${texts.signUp[field]}</label>
<input id="${field}" name="${field}" ${attributes} value="${typed[field]}"${invalid}${focus}>
${message}`
}

/** Keeps password managers from filling in a field, each by its own word: 1Password, LastPass, Bitwarden, Dashlane. */
export const LEFT_ALONE = html`data-1p-ignore data-lpignore="true" data-bwignore data-form-type="other"`

/** A honeypot: a field that people do not see, and that programs fill in. */
export const honeypot = ({ signUp }: Texts): Html => html`<div class="trap" aria-hidden="true">
<label for="website">${signUp.trap}</label>
<input id="website" name="website" type="text" tabindex="-1" autocomplete="off" ${LEFT_ALONE}>
</div>`

/** Gives the script that solves challenges the URL to get one from, and the texts to show. */
export const challengeAttributes = ({ challenge }: Texts, url: string): Html =>
  html` data-challenge="${url}" data-working="${challenge.working}" data-done="${challenge.done}" data-failed="${challenge.failed}"`

/** For browsers without scripts, which cannot solve a challenge. */
export const challengeNotice = ({ challenge }: Texts): Html =>
  html`<noscript><p class="alarm">${challenge.noScript}</p></noscript>`
