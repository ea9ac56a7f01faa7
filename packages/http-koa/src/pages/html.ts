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

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

type Value = string | Html | readonly Html[] | undefined

const markupOf = (value: Value): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeText(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** A template of markup. Values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.map((string, i) => string + markupOf(values[i])).join(''))

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?()[\]'])/

/** A text with its web addresses as links. */
export const linkedText = (text: string): Html =>
  html`${text.split(ADDRESS).map((part, i) => (i % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`))}`
