import { type DescribedWebhook, type PageRequest, webhookRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'
import { webhookState } from '../webhook-state.ts'

const COLUMNS: readonly Column<DescribedWebhook>[] = [
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'URL', cell: ({ url }) => url },
  { head: 'STATE', cell: webhookState },
  { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
  { head: 'TYPES', cell: ({ types }) => types.join(' ') },
]

export const webhookList: Verb = {
  name: 'list',
  summary: 'List where events are sent',
  details: LIST_DETAILS,
  examples: ['rollcall webhook list', 'rollcall webhook list --json'],
  define: (command, session) => {
    addListOptions(command).action(async (options: ListOptions) => {
      await session.withUseCases(async ({ listWebhooks }, caller) => {
        const page = (request: PageRequest) => listWebhooks.execute(request, caller)
        const nothing = 'There are no webhooks.'
        await printList(session, { page, columns: COLUMNS, representation: webhookRecord, nothing }, options)
      })
    })
  },
}
