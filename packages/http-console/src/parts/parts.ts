import { Html, type HtmlValue, html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'

export const notice = (kind: 'done' | 'alarm' | 'hint', text: HtmlValue, id?: string): Html =>
  html`<p class="notice ${kind}"${id && html` id="${id}"`}${kind === 'alarm' && html` role="alert"`}>${text}</p>`

/** What has just been done, as the URL says: one of the texts that there are. */
export const doneNotice = ({ query, options }: Visit): Html | undefined => {
  const texts: Readonly<Record<string, string>> = options.texts.done
  const said = query.get('done') ?? ''
  return Object.hasOwn(texts, said) ? notice('done', texts[said]) : undefined
}

/** A time as its reader can compare it with others; nothing where it has not happened. */
export const time = (instant: number | undefined): Html | undefined => {
  if (instant === undefined || !Number.isFinite(instant)) return undefined
  const iso = new Date(instant).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`
}

/** The day of it (UTC). */
export const day = (instant: number | undefined): Html | undefined => {
  if (instant === undefined || !Number.isFinite(instant)) return undefined
  const text = new Date(instant).toISOString().slice(0, 10)
  return html`<time datetime="${text}">${text}</time>`
}

export const code = (text: string): Html => html`<code>${text}</code>`

export const link = (path: string, text: HtmlValue): Html => html`<a href="${path}">${text}</a>`

/** A path with each part escaped. */
export const at = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join('/')}`

/** The address of a page with some of its parameters; empty ones are left out. */
export const withQuery = (path: string, query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
  )
  const text = String(new URLSearchParams(given))
  return text === '' ? path : `${path}?${text}`
}

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => HtmlValue
}

/** A table that scrolls by itself where it is wider than the window. */
export const table = <Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
): Html => {
  if (rows.length === 0) return html`<p class="quiet">${nothing}</p>`
  const head = columns.map((column) => html`<th scope="col">${column.head}</th>`)
  const body = rows.map((row) => html`<tr>${columns.map((column) => html`<td>${column.cell(row)}</td>`)}</tr>`)
  return html`<section class="scroll" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></section>`
}

/** Terms and what they are; those that have nothing are left out. */
export const facts = (pairs: readonly (readonly [term: string, value: HtmlValue])[]): Html => {
  const given = pairs.filter(
    ([, value]) =>
      value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
  )
  return html`<dl>${given.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Where the list goes on. How long it is would cost a look at all of it. */
export const pager = (
  { path, query, options }: Visit,
  next: number | string | undefined,
  name = 'cursor',
  previous?: number,
): Html => {
  const { list } = options.texts
  const others = Object.fromEntries([...query].filter(([key]) => key !== name && key !== 'done'))
  const to = (place: number | string | undefined, text: string) =>
    place === undefined ? undefined : link(withQuery(path, { ...others, [name]: place }), text)
  const first = query.has(name) ? link(withQuery(path, others), list.first) : undefined
  const [back, onwards] = [to(previous, list.previous), to(next, list.next)]
  if (onwards === undefined && first === undefined) return html``
  return html`<nav class="pager" aria-label="${list.pages}">${first} ${back} ${onwards}</nav>`
}

interface ButtonOptions {
  readonly hidden?: Readonly<Record<string, string | number>>
  readonly kind?: 'grave' | 'second'
  /** What tells it apart from others of the same words. */
  readonly about?: string
}

/** A form that is one button. */
export const button = (action: string, text: string, { hidden = {}, kind, about }: ButtonOptions = {}): Html => {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const label = about && html` aria-label="${text}: ${about}"`
  return html`<form class="single" method="post" action="${action}">${fields}
<button type="submit"${kind && html` class="${kind}"`}${label}>${text}</button></form>`
}

/** Links to what can be done; each leads to a page that asks first. */
export const actions = (links: readonly (Html | undefined | false)[]): Html | undefined => {
  const given = links.filter((each) => each instanceof Html)
  return given.length === 0 ? undefined : html`<ul class="actions">${given.map((each) => html`<li>${each}</li>`)}</ul>`
}
