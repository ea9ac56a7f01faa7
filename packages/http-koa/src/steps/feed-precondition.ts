import type { IncomingHttpHeaders } from 'node:http'
import { type Feed, feedRecord, type Precondition } from '@rollcall/core'
import { demandOf } from '../conditional/demand.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import type { Fields } from '../reading/fields.ts'

/** What the request demands of the feed that is there, and of its own fields. */
export const feedPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<Feed> =>
  demandOf(headers, fields, (feed) => ({
    entityTag: entityTagOf(JSON.stringify(feedRecord(feed))),
    lastModified: feed.updatedAt,
  }))
