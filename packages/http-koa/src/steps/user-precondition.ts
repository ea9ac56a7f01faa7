import type { IncomingHttpHeaders } from 'node:http'
import { type Precondition, type User, userRecord } from '@rollcall/core'
import { entityTagOf } from '../conditional/entity-tag.ts'
import { preconditionOf } from '../conditional/precondition.ts'
import type { Fields } from '../reading/fields.ts'

/**
 * What the request demands of the user that is there, and after that of its own fields: the core asks this once it
 * knows that the user is neither missing nor deleted, which is to be said first.
 */
export const userPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<User> => {
  const holds = preconditionOf<User>(headers, (user) => ({
    entityTag: entityTagOf(JSON.stringify(userRecord(user))),
    lastModified: user.updatedAt,
  }))
  return (current) => {
    if (holds?.(current) === false) return false
    fields.assertGood()
    return true
  }
}
