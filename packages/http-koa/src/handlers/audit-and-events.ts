import { auditEntryRecord, eventRecord } from '@rollcall/core'
import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import type { Fields } from '../reading/fields.ts'
import { listHandler } from './resource.ts'

const pagingAfter = (query: Fields) => ({ limit: query.text('limit'), cursor: query.text('after') })

export const listAudit = (options: HttpOptions): Handler =>
  listHandler(options, ({ listAudit }) => listAudit, pagingAfter, auditEntryRecord)

export const listEvents = (options: HttpOptions): Handler =>
  listHandler(options, ({ listEvents }) => listEvents, pagingAfter, eventRecord)
