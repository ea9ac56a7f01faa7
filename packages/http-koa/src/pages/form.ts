import type { FieldProblem } from '@rollcall/core'
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
  return Object.hasOwn(known, field) ? (known[field] ?? message) : message
}

export interface VisibleField {
  /** As it is sent. */
  readonly name: string
  readonly id: string
  readonly label: string
  /** What is said if it is wrong. */
  readonly problem: string
}

/** A field of ours. */
export const ownField = ({ signUp }: Texts, name: 'name' | 'email'): VisibleField => ({
  name,
  id: name,
  label: signUp[name],
  problem: signUp.problem[name],
})

/** An alert with every problem: those of visible fields by their names, with a way to each. */
export const alertOf = (
  texts: Texts,
  problems: readonly FieldProblem[],
  visible: readonly VisibleField[],
  id?: Html,
): Html | undefined => {
  if (problems.length === 0) return undefined
  const others = problems.filter(({ field }) => !visible.some(({ name }) => name === field))
  const wrong = visible.filter(({ name }) => problems.some(({ field }) => field === name))
  const list = wrong.map(
    ({ id, label, problem }) => html`<li><a href="#${id}" dir="auto">${label}</a>: ${problem}</li>
`,
  )
  return html`<div role="alert"${id}>${others.map((one) => html`<p class="alarm">${problemText(texts, one)}</p>`)}${
    wrong.length === 0
      ? undefined
      : html`<div class="alarm"><p>${texts.signUp.problems}</p>
<ul>
${list}</ul></div>`
  }</div>`
}

/** What stands behind the label of a field that must be filled in. */
export const requiredMark = ({ signUp }: Texts, required = true): Html | undefined =>
  required ? html` <span class="required">${signUp.required}</span>` : undefined

/** A field with its label, what was typed, and what is wrong with that. */
export const input = (texts: Texts, field: 'name' | 'email', typed: Typed, attributes: Html, focus?: Html): Html => {
  const problem = typed.problems?.find((one) => one.field === field)
  const invalid = problem && html` aria-invalid="true" aria-describedby="${field}-problem"`
  const message = problem && html`<p class="problem" id="${field}-problem">${problemText(texts, problem)}</p>`
  return html`<label for="${field}">${texts.signUp[field]}${requiredMark(texts, field === 'email')}</label>
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
