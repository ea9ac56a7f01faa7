import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '@rollcall/core'
import type { Fields } from '../reading/fields.ts'
import type { Validators } from './not-modified.ts'
import { preconditionOf } from './precondition.ts'

/**
 * What the request demands of the record that is there, and after that of its own fields: 412 comes before 422, and
 * the core asks for neither before it has found out what is there.
 */
export const demandOf = <T>(
  headers: IncomingHttpHeaders,
  fields: Fields,
  validatorsOf: (current: T) => Validators,
): Precondition<T> => {
  const holds = preconditionOf(headers, validatorsOf)
  return (current) => {
    if (holds?.(current) === false) return false
    fields.assertGood()
    return true
  }
}
