import { subscriptionRecord } from '@rollcall/core'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { listStep, pagingOf } from './list-step.ts'

export const listSubscriptions = (options: HttpOptions): Step =>
  listStep(options, {
    command: (query) => ({
      feed: query.text('feed'),
      status: query.text('status'),
      email: query.text('email'),
      ...pagingOf(query),
    }),
    page: (command, caller) => options.useCases.listSubscriptions.execute(command, caller),
    record: subscriptionRecord,
  })
