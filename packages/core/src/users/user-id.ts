import { OPERATOR_PREFIX } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'

/** Opaque, the same as an access token's `sub`. */
export type UserId = string & { readonly __brand: 'UserId' }

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/** The text as a user id, or undefined if it cannot be one. */
export const asUserId = (text: string): UserId | undefined =>
  VISIBLE_ASCII.test(text) && text !== '.' && text !== '..' && !isOperator(text) ? (text as UserId) : undefined

/** In any letter case: a reader of the trail must not take a user for an operator. */
const isOperator = (text: string): boolean => text.slice(0, OPERATOR_PREFIX.length).toLowerCase() === OPERATOR_PREFIX

/** @throws {InvalidInput} the text can never be a user id */
export const parseUserId = (text: string, field = 'id'): UserId => {
  const id = asUserId(text)
  if (id !== undefined) return id
  const message = `Use 1 to 255 visible ASCII characters, not '.' or '..', and not beginning '${OPERATOR_PREFIX}', in capitals or not.`
  throw new InvalidInput([{ field, message }])
}
