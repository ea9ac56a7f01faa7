import { auditEntryRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listAudit = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => pagingOf(query, 'after'),
    page: (command, caller) => options.useCases.listAudit.execute(command, caller),
    record: auditEntryRecord,
  })
