import { webhookRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listWebhooks = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => pagingOf(query),
    page: (command, caller) => options.useCases.listWebhooks.execute(command, caller),
    record: webhookRecord,
  })
