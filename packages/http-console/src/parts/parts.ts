import { fillMarkup, Html, type HtmlValue, html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'

export const notice = (kind: 'done' | 'alarm' | 'hint', text: HtmlValue): Html =>
  html`<p class="notice ${kind}"${kind === 'alarm' && html` role="alert"`}>${text}</p>`

/** What has just been done, as the URL says: one of the texts that there are. */
export const doneNotice = ({ query, options }: Visit): Html | undefined => {
  const texts: Readonly<Record<string, string>> = options.texts.done
  const said = query.get('done') ?? ''
  return Object.hasOwn(texts, said) ? notice('done', texts[said]) : undefined
}

type BadgeKind = 'good' | 'wait' | 'bad' | 'off'

/** A state in words; its colour and its mark say the same once more. */
export const badge = (kind: BadgeKind, text: string): Html => html`<span class="badge ${kind}">${text}</span>`

/** A time as its reader can compare it with others; nothing if it has not happened. The script tells it in the reader's zone. */
export const time = (instant: number | undefined): Html | undefined => {
  if (instant === undefined || !Number.isFinite(instant)) return undefined
  const iso = new Date(instant).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} <span class="zone">UTC</span></time>`
}

/** The day of it (UTC). */
export const day = (instant: number | undefined): Html | undefined => {
  if (instant === undefined || !Number.isFinite(instant)) return undefined
  const text = new Date(instant).toISOString().slice(0, 10)
  return html`<time datetime="${text}">${text}</time>`
}

/** A number as one reads it; the decimal point is for shares only. */
export const number = (count: number): string => count.toLocaleString('en-GB')

export const signed = (count: number): string => (count > 0 ? `+${number(count)}` : number(count).replace('-', '−'))

/** A share in percent; nothing of nothing. */
export const percent = (part: number, whole: number): string =>
  whole <= 0 ? '–' : `${((100 * part) / whole).toLocaleString('en-GB', { maximumFractionDigits: 1 })} %`

/** An address, or what else may be too long for its place: it breaks behind a sign of it, or else anywhere. */
export const long = (text: string): Html | undefined => {
  if (text === '') return undefined
  const sign = text.includes('://') ? /(?<=\w\/)/ : text.includes('@') ? /(?<=@)/ : /(?<=\.)/
  const broken = html`${text.split(sign).map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`
  return text.length <= 24 ? broken : html`<span class="text">${broken}</span>`
}

const SEEN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/u

/** What somebody is called: the name, or what stands in for it if nothing of the name is seen. */
export const called = (name: string, otherwise: string): string => (SEEN.test(name) ? name : otherwise)

/** A number that stands by itself, with what it is and what more is to be said of it. */
export const card = (what: string, figure: string, more?: Html | string): Html =>
  html`<div class="card"><span class="what">${what}</span><b class="figure">${figure}</b>${more && html`<span class="what">${more}</span>`}</div>`

/** One below the other. */
export const lines = (items: readonly HtmlValue[]): Html =>
  html`${items.map((each, i) => html`${i > 0 && html`<br>`}${each}`)}`

export const code = (text: string): Html => html`<code>${text}</code>`

/** A sentence of the core: its commands as such, and its times as those of the page. */
export const prose = (text: string): Html =>
  html`${text.split(/(`[^`]+`|\b\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, i) => {
    if (i % 2 === 0) return html`${part}`
    return part.startsWith('`') ? code(part.slice(1, -1)) : time(Date.parse(part))
  })}`

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

/** Rows on a page of a list: as many as make a page of at most 30 KiB, however long their texts are; fewer if each has much in it. */
export const ROWS = 40
export const FULL_ROWS = 25

export interface Column<Row> {
  readonly head: string
  readonly cell: (row: Row) => HtmlValue
  readonly isNumber?: boolean
}

/**
 * A table that scrolls by itself if it is wider than the window; in a narrow one each row is a card, of which the first
 * column is the heading.
 */
export const table = <Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nothing: string,
): Html => {
  if (rows.length === 0) return html`<p class="quiet">${nothing}</p>`
  const of = ({ isNumber }: Column<Row>) => isNumber && html` class="number"`
  const head = columns.map((column) => html`<th scope="col"${of(column)}>${column.head}</th>`)
  const cells = (row: Row) =>
    columns.map((column) => html`<td data-l="${column.head}"${of(column)}>${column.cell(row)}</td>`)
  const body = rows.map((row) => html`<tr>${cells(row)}</tr>`)
  return html`<section class="scroll" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></section>`
}

/** The same if it only says what is drawn above it. */
export const tableBelow = (summary: string, content: Html): Html =>
  html`<details class="more"><summary>${summary}</summary>${content}</details>`

/** Terms and what they are; those that have nothing are left out. */
export const facts = (pairs: readonly (readonly [term: string, value: HtmlValue])[]): Html => {
  const given = pairs.filter(
    ([, value]) =>
      value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0),
  )
  return html`<dl>${given.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** How long a list is, if that is a number that is kept. */
export const count = ({ options }: Visit, total: number | undefined): Html | undefined =>
  total === undefined
    ? undefined
    : html`<p class="count">${fillMarkup(options.texts.list.total, { total: number(total) })}</p>`

/** How many there are, or that there are more than these. */
export const countOrMore = ({ options }: Visit, count: number, hasMore = false): Html | string =>
  hasMore ? fillMarkup(options.texts.start.more, { count: number(count) }) : number(count)

/** Where the list goes on. */
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
  readonly hidden?: Readonly<Record<string, string | number | readonly (string | number)[]>>
  readonly kind?: 'second'
  /** What tells it apart from others of the same words. */
  readonly about?: string
}

/** A form that is one button. */
export const button = (action: string, text: string, { hidden = {}, kind, about }: ButtonOptions = {}): Html => {
  const fields = Object.entries(hidden).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
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
