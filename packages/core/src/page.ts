import { InvalidInput, MalformedRequest } from './errors.ts'

/** Where an item stands in its list: grows with age of the list, never changes, never reused. */
export type Position = number

/** A page of a list, oldest first. `next` is the cursor of the next page, undefined at the end. */
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

/** The caller's parameters: unparsed, both optional. */
export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit?: string | number | undefined
}

const LONGEST = 200
const USUAL = 50
const LONGEST_CURSOR = 16
const CURSOR = /^\d{1,16}$/

/**
 * @throws {MalformedRequest} the cursor did not come from a list
 * @throws {InvalidInput} the limit is not a whole number from 1 to 200
 */
export const stretchOf = ({ cursor, limit = USUAL }: PageRequest): Stretch => {
  const after = cursor === undefined ? 0 : CURSOR.test(cursor) ? Number(cursor) : Number.NaN
  if (!Number.isSafeInteger(after))
    throw new MalformedRequest("This cursor is not valid. Use the 'next' of the list before, or leave it out.")
  const count = typeof limit === 'number' ? limit : /^\d{1,3}$/.test(limit) ? Number(limit) : Number.NaN
  if (!(Number.isInteger(count) && count >= 1 && count <= LONGEST))
    throw new InvalidInput([{ field: 'limit', message: `Give a whole number from 1 to ${LONGEST}.` }])
  return { after, limit: count }
}

/** The text that a caller sends back to get the next stretch. */
export const cursorOf = (position: Position | undefined): string | undefined => position?.toString()

/** The same, in a form whose alphabetical order is that of the list. */
export const sortableCursorOf = (position: Position): string => position.toString().padStart(LONGEST_CURSOR, '0')
