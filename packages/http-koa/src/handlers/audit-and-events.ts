import { auditEntryRecord, eventRecord } from '@rollcall/core'
import type { Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listHandler, pagingOf } from './resource.ts'

export const listAudit = (options: HttpOptions): Handler =>
  listHandler(options, {
    command: (query) => pagingOf(query, 'after'),
    page: (command, caller) => options.useCases.listAudit.execute(command, caller),
    record: auditEntryRecord,
  })

export const listEvents = (options: HttpOptions): Handler =>
  listHandler(options, {
    command: (query) => pagingOf(query, 'after'),
    page: (command, caller) => options.useCases.listEvents.execute(command, caller),
    record: eventRecord,
  })
