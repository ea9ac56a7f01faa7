import { type Feed, feedRecord, type PageRequest } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

const stateOf = ({ open, deletingSince }: Feed): string => {
  if (deletingSince !== undefined) return 'being deleted'
  return open ? 'open' : 'closed'
}

const COLUMNS: readonly Column<Feed>[] = [
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'TITLE', cell: ({ title }) => title },
  { head: 'LANGUAGE', cell: ({ language }) => language ?? '' },
  { head: 'STATE', cell: stateOf },
  { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
  { head: 'DESCRIPTION', cell: ({ description }) => description },
]

export const feedList: Verb = {
  name: 'list',
  summary: 'List feeds',
  details: LIST_DETAILS,
  examples: ['rollcall feed list', 'rollcall feed list --json'],
  define: (command, session) => {
    addListOptions(command).action(async (options: ListOptions) => {
      await session.withUseCases(async ({ listFeeds }, caller) => {
        const page = (request: PageRequest) => listFeeds.execute(request, caller)
        const nothing = 'There are no feeds.'
        await printList(session, { page, columns: COLUMNS, representation: feedRecord, nothing }, options)
      })
    })
  },
}
