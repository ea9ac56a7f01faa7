import type { IncomingHttpHeaders } from 'node:http'
import { type Precondition, type Webhook, webhookRecord } from '@rollcall/core'
import { demandOf } from '../conditional/demand.ts'
import { entityTagOf } from '../conditional/entity-tag.ts'
import type { Fields } from '../reading/fields.ts'

/** What the request demands of the webhook that is there, and of its own fields. */
export const webhookPrecondition = (headers: IncomingHttpHeaders, fields: Fields): Precondition<Webhook> =>
  demandOf(headers, fields, (webhook) => ({
    entityTag: entityTagOf(JSON.stringify(webhookRecord(webhook))),
    lastModified: webhook.updatedAt,
  }))
