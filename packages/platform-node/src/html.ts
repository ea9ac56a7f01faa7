/** Markup that is safe to insert into a page unescaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text between tags, and for values in quotation marks. */
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** What a template takes; of undefined and false, nothing is shown. */
export type HtmlValue = string | number | Html | readonly (Html | undefined)[] | undefined | false

const markupOf = (value: HtmlValue): string => {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return value instanceof Html ? value.text : value.map((each) => each?.text ?? '').join('')
}

/** A template of markup. Values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(strings.map((string, i) => string + markupOf(values[i])).join(''))
