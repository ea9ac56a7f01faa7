import { InvalidInput, MalformedRequest } from './errors.ts'
import { parseOneOf } from './text.ts'

/** Where an item stands in its list. A later item has a greater one; none is used twice. */
export type Position = number

/** A page of a list, oldest first. `next` is after which item the next page begins, for `cursorOf`; undefined at the end. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next: Position | undefined
  /** How many the whole list has, if that is a number that is kept. */
  readonly total?: number | undefined
}

/** What a store needs to return one page. */
export interface Stretch {
  readonly after: Position
  readonly limit: number
}

const PAGE = 200

/** All of a list, a page at a time. */
export async function* eachOf<Item>(list: (stretch: Stretch) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let after: Position | undefined = 0; after !== undefined; ) {
    const { items, next }: Page<Item> = await list({ after, limit: PAGE })
    yield* items
    after = next
  }
}

/** A stretch of a list that can be read in both directions: down from a place, it comes newest first. */
export interface DirectedStretch extends Stretch {
  readonly downwards?: boolean | undefined
}

/** A page of a list in the order that was asked for. `previous` is the cursor of the page before. */
export interface SortedPage<T> extends Page<T> {
  readonly previous: Position | undefined
}

/** The caller's parameters: unparsed, both optional. */
export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit?: string | number | undefined
}

export const SORTS = ['oldest', 'newest'] as const

export interface SortedPageRequest extends PageRequest {
  /** `oldest` or `newest` first; the oldest if left out. */
  readonly sort?: string | undefined
}

const LONGEST = 200
const USUAL = 50
const LONGEST_CURSOR = 16
const CURSOR = /^\d{1,16}$/
/** With a minus, it is that of a page before. */
const SORTED_CURSOR = /^-?\d{1,16}$/

/**
 * @throws {MalformedRequest} the cursor did not come from a list
 * @throws {InvalidInput} the limit is not a whole number from 1 to 200
 */
export const stretchOf = ({ cursor, limit }: PageRequest): Stretch => ({
  after: cursor === undefined ? 0 : parseCursor(cursor, CURSOR),
  limit: parseLimit(limit),
})

const parseCursor = (cursor: string, shape: RegExp): Position => {
  const position = shape.test(cursor) ? Number(cursor) : Number.NaN
  if (Number.isSafeInteger(position)) return position
  throw new MalformedRequest("This cursor is not valid. Use the 'next' of the list before, or leave it out.")
}

const parseLimit = (limit: string | number = USUAL): number => {
  const count = typeof limit === 'number' ? limit : /^\d{1,3}$/.test(limit) ? Number(limit) : Number.NaN
  if (!(Number.isInteger(count) && count >= 1 && count <= LONGEST))
    throw new InvalidInput([{ field: 'limit', message: `Give a whole number from 1 to ${LONGEST}.` }])
  return count
}

/** What a caller asks for of a list that can be sorted. */
export interface SortedStretch extends DirectedStretch {
  readonly sort: (typeof SORTS)[number]
  /** Negative for what comes before its place in the order of the list. */
  readonly cursor: Position | undefined
}

/**
 * @throws {MalformedRequest} the cursor did not come from a list
 * @throws {InvalidInput} the limit or the order is not valid
 */
export const sortedStretchOf = ({ cursor: given, limit, sort: order = 'oldest' }: SortedPageRequest): SortedStretch => {
  const sort = parseOneOf('sort', order, SORTS)
  const cursor = given === undefined ? undefined : parseCursor(given, SORTED_CURSOR)
  const downwards = (sort === 'newest') !== (cursor ?? 0) < 0
  const after = cursor === undefined ? (downwards ? Number.MAX_SAFE_INTEGER : 0) : Math.abs(cursor)
  return { after, limit: parseLimit(limit), downwards, sort, cursor }
}

/** What was read of this stretch, as the caller asked for it. */
export const sortedPage = <T>({ sort, cursor }: SortedStretch, { items, next }: Page<T>): SortedPage<T> => {
  if (cursor === undefined) return { items, next, previous: undefined }
  // Positions are whole numbers: before the place of the cursor's neighbour is what ends with that place.
  const step = sort === 'newest' ? -1 : 1
  if (cursor >= 0) return { items, next, previous: -Math.max(cursor + step, 1) }
  return { items: items.toReversed(), next: -cursor - step, previous: next && -next }
}

/** The text that a caller sends back to get the next stretch. */
export const cursorOf = (position: Position | undefined): string | undefined => position?.toString()

/** The same, in a form whose alphabetical order is that of the list. */
export const sortableCursorOf = (position: Position): string => position.toString().padStart(LONGEST_CURSOR, '0')
