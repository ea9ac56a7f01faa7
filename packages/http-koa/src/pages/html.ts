/** Markup that is safe to put into a page as it is. */
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

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

type Value = string | Html | readonly Html[] | undefined

const markupOf = (value: Value): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeText(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** A template of markup; whatever is put into it is escaped, unless it is markup itself. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.map((string, i) => string + markupOf(values[i])).join(''))
