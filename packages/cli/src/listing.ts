import { Option } from 'commander'
import { wholeNumber } from './options.ts'
import type { Service } from './service/service.ts'
import type { Here, Session } from './session.ts'
import { type Column, TablePrinter } from './table-printer.ts'
import { visibleJson } from './texts.ts'
import type { Verb } from './verb.ts'

export interface ListRequest {
  readonly limit: number
  readonly cursor: string | undefined
  readonly query?: string
  readonly sort?: string
  readonly role?: string
  readonly feed?: string
  readonly status?: string
  readonly email?: string
  readonly parked?: boolean
  readonly suspended?: boolean
  readonly held?: boolean
  readonly target?: string
  readonly action?: string
  readonly since?: string
  readonly newest?: boolean
  readonly subject?: string
  readonly state?: string
  readonly inactiveSince?: string
}

export interface ListOptions extends Omit<ListRequest, 'cursor' | 'limit'> {
  readonly limit?: number
  readonly after?: string | number
}

interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

export interface Listing<Item> {
  readonly page: (service: Service, request: ListRequest, here: Here) => Promise<ListPage<Item>>
  readonly columns: readonly Column<Item>[]
  /** By default the record itself. */
  readonly representation?: (item: Item) => unknown
  /** Said to a person when there is nothing to list. */
  readonly nothing: string | ((options: ListOptions) => string)
  /** What `--after` takes to go on; by default the cursor of the list. */
  readonly next?: (cursor: string) => string | number
}

interface ListVerb<Item> extends Listing<Item>, Omit<Verb, 'name' | 'define'> {
  /** What it can be narrowed down by: the fields of the request. */
  readonly filters?: readonly (readonly [flags: string, description: string])[]
  /** In place of the `--after` that takes a cursor. */
  readonly after?: Option
  /** What is listed instead with these options, if anything is. */
  readonly instead?: (options: ListOptions) => Listing<unknown> | undefined
}

const LIST_DETAILS =
  'Prints everything, oldest first unless sorted otherwise. With --json it is one document {"items":[...],"next":...}, an item a line; ' +
  '"next" is null at the end, else what --after takes to go on.'

const AFTER = new Option('--after <cursor>', 'go on where a list ended that was limited')
const LARGEST_PAGE = 200

export const SORT = ['--sort <order>', 'oldest (the default) or newest first'] as const

export const listVerb = <Item>({ details, filters = [], after = AFTER, instead, ...rest }: ListVerb<Item>): Verb => ({
  ...rest,
  name: 'list',
  details: details === undefined ? LIST_DETAILS : `${details}\n${LIST_DETAILS}`,
  define: (command, session) => {
    command.option('--limit <number>', 'print at most so many', wholeNumber(1)).addOption(after)
    for (const [flags, description] of filters) command.option(flags, description)
    command.action(async (options: ListOptions) => {
      const other = instead?.(options)
      await (other === undefined ? printList(session, rest, options) : printList(session, other, options))
    })
  },
})

/** Prints the list page by page: its length costs no memory. */
export const printList = async <Item>(
  session: Session,
  listing: Listing<Item>,
  options: ListOptions,
): Promise<void> => {
  const { limit = Number.POSITIVE_INFINITY, after, ...filters } = options
  const { columns, representation = (item) => item, nothing, next: nextOf = (cursor) => cursor } = listing
  const { json, stdout, colour } = session
  const table = new TablePrinter(stdout, columns, { colour })
  const jsonOf = (items: readonly Item[]): string =>
    items.map((item) => `\n${visibleJson(representation(item))}`).join(',')
  const end = async (count: number, next: string | number | undefined): Promise<void> => {
    if (json) return await stdout.write(`${count === 0 ? OPENING : ''}\n],"next":${visibleJson(next ?? null)}}\n`)
    if (count === 0) await session.note(typeof nothing === 'string' ? nothing : nothing(options))
    if (next !== undefined) await session.note(`There are more: add --after ${next} to go on.`)
  }
  await session.withService(async (service, here) => {
    let count = 0
    let cursor = after?.toString()
    do {
      const request = { ...filters, cursor, limit: Math.min(limit - count, LARGEST_PAGE) }
      const { items, next } = await listing.page(service, request, here)
      session.throwIfInterrupted()
      if (items.length > 0)
        await (json ? stdout.write(`${count === 0 ? OPENING : ','}${jsonOf(items)}`) : table.print(items))
      count += items.length
      if (next === null || count >= limit) return await end(count, next === null ? undefined : nextOf(next))
      cursor = next
    } while (!stdout.closed)
  })
}

const OPENING = '{"items":['
