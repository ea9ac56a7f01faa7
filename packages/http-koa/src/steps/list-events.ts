import { eventRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listEvents = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => pagingOf(query, 'after'),
    page: (command, caller) => options.useCases.listEvents.execute(command, caller),
    record: eventRecord,
  })
