import type { IncomingHttpHeaders } from 'node:http'
import { type Precondition, type Subscription, subscriptionRecord } from '@rollcall/core'
import { demandOf } from '../conditional/demand.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import type { Fields } from '../reading/fields.ts'

/** What the request demands of the subscription that is there, and of its own fields. */
export const subscriptionPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<Subscription> =>
  demandOf(headers, fields, (subscription) => ({
    entityTag: entityTagOf(JSON.stringify(subscriptionRecord(subscription))),
    // No date: name and locale of a pending one change without any of its times.
    lastModified: undefined,
  }))
