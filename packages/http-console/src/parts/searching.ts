import type { SortedPage } from '@rollcall/core'
import { type Html, html } from '@rollcall/platform-node'
import type { Visit } from '../visit.ts'
import { field, select } from './fields.ts'
import { button, withQuery } from './parts.ts'

type Filters = Readonly<Record<string, string | undefined>>

/** What a list is narrowed to: by what its address says, or by what was typed, which is in no address. */
interface Narrowing {
  readonly filters: Filters
  readonly query: string | undefined
  readonly cursor: string | undefined
  /** Set if nothing was typed: the address of such a list. */
  readonly to: string | undefined
}

/** @param names what the list can be narrowed by */
export const narrowingIn = ({ path, query, form }: Visit, names: readonly string[], isTyped: boolean): Narrowing => {
  const given = (name: string) => (isTyped ? form.text(name) : query.get(name)) || undefined
  const filters = Object.fromEntries(names.map((name) => [name, given(name)]))
  const typed = isTyped ? form.text('query').trim() || undefined : undefined
  const to = isTyped && typed === undefined ? withQuery(path, filters) : undefined
  return { filters, query: typed, cursor: given('cursor'), to }
}

/** A search and filters in one form: it is sent, as what is typed may be an address; without that, it leads to an address. */
export const searchForm = ({ path, options }: Visit, { query }: Narrowing, filters: Html): Html => {
  const { list } = options.texts
  return html`<form class="row" method="post" action="${path}">
<div class="field wide">${field('query', list.query, { value: query, type: 'search' })}</div>
${filters}<button type="submit" class="second">${list.filter}</button></form>`
}

/** The feeds to choose from: so many, and the one that is chosen. */
export const feedSelect = async (visit: Visit, chosen: string | undefined): Promise<Html> => {
  const { useCases, texts } = visit.options
  const { items } = await useCases.listFeeds.execute({ limit: 200 }, visit.caller)
  const names = [...items.map(({ name }) => name), ...(chosen ? [chosen] : [])]
  const { feed, statuses } = texts.subscriptions
  const { any } = statuses
  return select('feed', feed, { '': any, ...Object.fromEntries(names.map((name) => [name, name])) }, chosen)
}

/** What a page of a search has; it may have been given before all were looked at. */
export const foundRows = <T>(
  { options }: Visit,
  { items, next }: Pick<SortedPage<T>, 'items' | 'next'>,
  made: (items: readonly T[]) => Html,
): Html =>
  items.length === 0 && next !== undefined ? html`<p class="quiet">${options.texts.list.notYet}</p>` : made(items)

/** By forms: what was typed stays out of the address bar. */
export const otherPages = (
  { options, path }: Visit,
  { next, previous }: Pick<SortedPage<unknown>, 'next' | 'previous'>,
  typed: Filters,
  name = 'cursor',
): Html | undefined => {
  const { list } = options.texts
  const to = (cursor: number | undefined, text: string) =>
    cursor === undefined
      ? undefined
      : button(path, text, { hidden: given({ ...typed, [name]: String(cursor) }), kind: 'second' })
  if ((next ?? previous) === undefined) return undefined
  return html`<nav class="pager" aria-label="${list.pages}">${to(previous, list.previous)} ${to(next, list.next)}</nav>`
}

const given = (fields: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
