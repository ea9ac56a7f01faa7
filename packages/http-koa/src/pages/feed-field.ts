import { type FeedField, type FieldProblem, languageRanges, submittedName } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import { requiredMark, type VisibleField } from './form.ts'
import type { Texts } from './language.ts'
import { fill } from './placeholders.ts'

/** Of a text, in characters, if its field names no other. */
export const USUAL_LENGTH = 200

/** The label of a field in the language of the page; else in that of the feed, in English, or in the first there is. */
export const fieldLabel = ({ language }: Texts, { label }: FeedField, feedLanguage: string | undefined): string => {
  const byTag = new Map(Object.entries(label).map(([tag, text]) => [tag.toLowerCase(), text]))
  for (const range of [language, feedLanguage ?? 'en', 'en'].flatMap(languageRanges)) {
    const found = byTag.get(range)
    if (found !== undefined) return found
  }
  return Object.values(label)[0] ?? ''
}

interface FieldInput {
  readonly texts: Texts
  /** Of the feed. */
  readonly language: string | undefined
  readonly value: unknown
  readonly required: boolean
  readonly problem?: FieldProblem | undefined
  readonly focus?: Html | undefined
  /** In front of its id, if a page has several forms. */
  readonly prefix?: string | undefined
  /** What is stored, which may stay although the field takes no such value any more. */
  readonly stored?: unknown
}

/** What there is of a field, which may be called as what every object inherits. */
export const fieldValue = (values: object | undefined, { name }: FeedField): unknown =>
  values !== undefined && Object.hasOwn(values, name) ? values[name as keyof typeof values] : undefined

export const inputName = ({ name }: FeedField): string => submittedName(name)

/** The input of a field, without its label. */
export const fieldControl = (field: FeedField, given: FieldInput, id: Html = html``): Html => {
  const { texts, value, required, focus } = given
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
  const stays = text !== '' && text === String(given.stored ?? '')
  const attributes = html`${id} name="${inputName(field)}"${required ? html` required` : undefined}${focus}`
  switch (field.type) {
    case 'boolean':
      return html`<input type="checkbox"${attributes} value="true"${value === true || value === 'true' ? html` checked` : undefined}>`
    case 'choice': {
      // What is stored and is offered no more stays until its owner chooses another.
      const choices = stays && !field.choices.includes(text) ? [text, ...field.choices] : field.choices
      // Of the text of an option, a browser sends only what is left without its outer and double spaces.
      const options = choices.map(
        (choice) => html`<option value="${choice}"${choice === text ? html` selected` : undefined}>${choice}</option>`,
      )
      return html`<select${attributes}><option value="">${texts.signUp.choice}</option>${options}</select>`
    }
    case 'date':
      return html`<input type="date"${attributes} value="${text}">`
    case 'number':
      return html`<input type="number" step="any"${attributes}${field.max === undefined || (stays && Number(text) > field.max) ? undefined : html` max="${String(field.max)}"`} value="${text}">`
    case 'text':
      return html`<input type="text" maxlength="${String(field.max ?? USUAL_LENGTH)}"${attributes} value="${text}">`
  }
}

/** What to do about what stands in a field and cannot stay. */
const fieldProblem = ({ signUp }: Texts, { type, max }: FeedField, value: unknown): string => {
  const texts = signUp.fieldProblem
  if (value === undefined || value === null || value === '') return texts.missing
  if (type === 'text') return fill(texts.text, { max: String(max ?? USUAL_LENGTH) })
  return type === 'number' && max !== undefined ? fill(texts.max, { max: String(max) }) : texts[type]
}

/** A field with its label, what stands in it, and what is wrong with that. */
export const fieldInput = (field: FeedField, given: FieldInput): Html => {
  const { texts, language, problem, prefix = '' } = given
  const id = `${prefix}${inputName(field)}`
  const label = fieldLabel(texts, field, language)
  const invalid = problem && html` aria-invalid="true" aria-describedby="${id}-problem"`
  const control = fieldControl(field, given, html` id="${id}"${invalid}`)
  const message = problem && html`<p class="problem" id="${id}-problem">${fieldProblem(texts, field, given.value)}</p>`
  const mark = requiredMark(texts, given.required)
  return field.type === 'boolean'
    ? html`<label class="tick">${control} <span><span dir="auto">${label}</span>${mark}</span></label>
${message}`
    : html`<label for="${id}"><bdi>${label}</bdi>${mark}</label>
${control}
${message}`
}

/** The same, for an alert above its form. */
export const visibleField = (
  texts: Texts,
  field: FeedField,
  given: { readonly language: string | undefined; readonly typed: object | undefined; readonly prefix?: string },
): VisibleField => ({
  name: inputName(field),
  id: `${given.prefix ?? ''}${inputName(field)}`,
  label: fieldLabel(texts, field, given.language),
  problem: fieldProblem(texts, field, fieldValue(given.typed, field)),
})
