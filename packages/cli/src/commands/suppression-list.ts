import { type PageRequest, type SuppressionRecord, suppressionRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

const COLUMNS: readonly Column<SuppressionRecord>[] = [
  { head: 'ADDRESS', cell: ({ address }) => address },
  { head: 'CAUSE', cell: ({ cause }) => cause },
  { head: 'SINCE', cell: ({ since }) => shortInstantText(since) },
]

export const suppressionList: Verb = {
  name: 'list',
  summary: 'List addresses that get no sign-up mail',
  details: `Their owners refused, or said 'never again'. Addresses are known by keyed hash only.\n${LIST_DETAILS}`,
  examples: ['rollcall suppression list', 'rollcall suppression list --json'],
  define: (command, session) => {
    addListOptions(command).action(async (options: ListOptions) => {
      await session.withUseCases(async ({ listSuppressions }, caller) => {
        const page = (request: PageRequest) => listSuppressions.execute(request, caller)
        const nothing = 'No address is suppressed.'
        await printList(session, { page, columns: COLUMNS, representation: suppressionRecord, nothing }, options)
      })
    })
  },
}
