import type { FieldProblem } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'

interface FieldOptions {
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly problems?: readonly FieldProblem[] | undefined
  readonly required?: boolean
  readonly rows?: number
  readonly type?: 'text' | 'email' | 'search'
  readonly inputMode?: 'numeric'
  /** Once on a page if the same name is there twice. */
  readonly id?: string
}

/** A line, or a text of several, with its label and what is wrong with it. */
export const field = (name: string, label: string, options: FieldOptions = {}): Html => {
  const { value = '', hint, problems = [], required, rows, type = 'text', inputMode, id = name } = options
  const problem = problems.find((each) => each.field === name)?.message
  const about = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  // An address is never written with capitals by a keyboard, and HTML has no such attribute there.
  const capitals = type !== 'email' && html` autocapitalize="off"`
  const attributes = html`id="${id}" name="${name}"${about !== '' && html` aria-describedby="${about}"`}${required && html` required`}${problem && html` aria-invalid="true"`} autocomplete="off"${capitals} spellcheck="false"`
  const control = rows
    ? html`<textarea ${attributes} rows="${rows}">${'\n'}${value}</textarea>`
    : html`<input ${attributes} type="${type}"${inputMode && html` inputmode="${inputMode}"`} value="${value}">`
  return html`<label for="${id}">${label}</label>
${hint && html`<p class="quiet hint" id="${id}-hint">${hint}</p>`}
${control}
${problem && html`<p class="problem" id="${id}-problem">${problem}</p>`}`
}

interface FileOptions extends Pick<FieldOptions, 'hint' | 'problems'> {
  /** Types and endings, as the attribute has them. */
  readonly accept: string
}

/** A file, with its label and what is wrong with it. */
export const fileField = (name: string, label: string, { hint, problems = [], accept }: FileOptions): Html => {
  const problem = problems.find((each) => each.field === name)?.message
  const about = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<label for="${name}">${label}</label>${hint && html`<p class="quiet hint" id="${name}-hint">${hint}</p>`}
<input type="file" id="${name}" name="${name}" accept="${accept}"${about !== '' && html` aria-describedby="${about}"`}${problem && html` aria-invalid="true"`}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}`
}

type Choices = Readonly<Record<string, string>>

export const select = (name: string, label: string, choices: Choices, chosen = ''): Html => {
  const options = Object.entries(choices).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>`
}

/** Boxes of which one is chosen, and what is wrong with the choice. */
export const radios = (
  name: string,
  label: string,
  choices: Choices,
  chosen = '',
  problems: readonly FieldProblem[] = [],
): Html => {
  const inputs = Object.entries(choices).map(
    ([value, text]) =>
      html`<label class="tick"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}> ${text}</label>`,
  )
  return choice(name, label, inputs, problems)
}

export const tick = (name: string, label: string, checked = false, value = 'yes'): Html =>
  html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${checked && html` checked`}> ${label}</label>`

/** Boxes for any number of values, and what is wrong with the choice. */
export const ticks = (
  name: string,
  label: string,
  values: readonly string[],
  isTicked: (value: string) => boolean | undefined,
  problems: readonly FieldProblem[] = [],
): Html => {
  const boxes = values.map((value) => tick(`${name}[]`, value, isTicked(value), value))
  return choice(name, label, boxes, problems)
}

const choice = (name: string, label: string, boxes: readonly Html[], problems: readonly FieldProblem[]): Html => {
  const problem = problems.find((each) => each.field === name)?.message
  const id = `${name}-problem`
  return html`<fieldset${problem && html` aria-describedby="${id}"`}><legend>${label}</legend>${boxes}${problem && html`<p class="problem" id="${id}">${problem}</p>`}</fieldset>`
}
