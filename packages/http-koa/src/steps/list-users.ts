import { userRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listUsers = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => ({ query: query.text('query'), role: query.text('role'), ...pagingOf(query) }),
    page: (command, caller) => options.useCases.listUsers.execute(command, caller),
    record: userRecord,
  })
