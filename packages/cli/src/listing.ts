import { cursorOf, type Page, type PageRequest, type Position } from '@rollcall/core'
import type { Command } from 'commander'
import { wholeNumber } from './option-values.ts'
import type { Session } from './session.ts'
import { type Column, TablePrinter } from './table-printer.ts'
import { visibleJson } from './visible-text.ts'

/** How to read a list, and how to show what is in it. */
export interface Listing<Item> {
  readonly page: (request: PageRequest) => Promise<Page<Item>>
  readonly columns: readonly Column<Item>[]
  readonly representation: (item: Item) => unknown
  /** Said to a person when there is nothing to list. */
  readonly nothing: string
  /** What `--after` takes to go on; the cursor of the HTTP lists where none is given. */
  readonly next?: (position: Position) => string | number
}

export interface ListOptions {
  readonly limit?: number
  readonly after?: string
}

export const LIST_DETAILS =
  'Prints everything, oldest first. With --json it is one document {"items":[...],"next":...}, an item a line; ' +
  '"next" is null at the end, else what --after takes to go on.'

const LARGEST_PAGE = 200

export const addLimit = (command: Command): Command =>
  command.option('--limit <number>', 'print at most so many', wholeNumber(1))

export const addListOptions = (command: Command): Command =>
  addLimit(command).option('--after <cursor>', 'go on where a list ended that was limited')

/** Prints the list page by page: its length costs no memory. */
export const printList = async <Item>(
  session: Session,
  listing: Listing<Item>,
  options: ListOptions,
): Promise<void> => {
  const sink = session.json ? jsonSink(session, listing) : tableSink(session, listing)
  let left = options.limit ?? Number.POSITIVE_INFINITY
  let cursor = options.after
  for (;;) {
    const page = await listing.page({ cursor, limit: Math.min(left, LARGEST_PAGE) })
    session.throwIfInterrupted()
    await sink.print(page.items)
    left -= page.items.length
    cursor = cursorOf(page.next)
    if (page.next === undefined || left <= 0) return await sink.end(nextOf(listing, page.next))
    if (session.stdout.closed) return
  }
}

const nextOf = <Item>({ next }: Listing<Item>, position: Position | undefined): string | number | undefined =>
  position === undefined || next === undefined ? cursorOf(position) : next(position)

interface Sink<Item> {
  print(items: readonly Item[]): Promise<void>
  end(next: string | number | undefined): Promise<void>
}

const jsonSink = <Item>({ stdout }: Session, { representation }: Listing<Item>): Sink<Item> => {
  let opening = '{"items":['
  let between = ''
  return {
    print: async (items) => {
      let text = opening
      for (const item of items) {
        text += `${between}\n${visibleJson(representation(item))}`
        between = ','
      }
      opening = ''
      await stdout.write(text)
    },
    end: async (next) => await stdout.write(`\n],"next":${visibleJson(next ?? null)}}\n`),
  }
}

const tableSink = <Item>(session: Session, { columns, nothing }: Listing<Item>): Sink<Item> => {
  const table = new TablePrinter(session.stdout, columns, { colour: session.colour })
  let empty = true
  return {
    print: async (items) => {
      if (items.length === 0) return
      empty = false
      await table.print(items)
    },
    end: async (next) => {
      if (empty) await session.note(nothing)
      if (next !== undefined) await session.note(`There are more: add --after ${next} to go on.`)
    },
  }
}
