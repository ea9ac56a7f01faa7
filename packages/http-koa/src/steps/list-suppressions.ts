import { suppressionRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listSuppressions = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => pagingOf(query),
    page: (command, caller) => options.useCases.listSuppressions.execute(command, caller),
    record: suppressionRecord,
  })
