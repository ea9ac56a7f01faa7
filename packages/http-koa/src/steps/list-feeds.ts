import { feedRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listFeeds = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => pagingOf(query),
    page: (command, caller) => options.useCases.listFeeds.execute(command, caller),
    record: feedRecord,
  })
