import type { IncomingHttpHeaders } from 'node:http'
import { type Precondition, type User, userRecord } from '@rollcall/core'
import { demandOf } from '../conditional/demand.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import type { Fields } from '../reading/fields.ts'

/** What the request demands of the user that is there, and of its own fields. */
export const userPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<User> =>
  demandOf(headers, fields, (user) => ({
    entityTag: entityTagOf(JSON.stringify(userRecord(user))),
    lastModified: user.updatedAt,
  }))
