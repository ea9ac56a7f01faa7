import { type Html, type HtmlValue, html } from '@rollcall/platform-node'

/** A text with its placeholders, such as `{count}`, replaced; the values may be markup. */
export const fill = (text: string, values: Readonly<Record<string, HtmlValue>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((part, i) => html`${i % 2 === 0 ? part : Object.hasOwn(values, part) && values[part]}`)}`
