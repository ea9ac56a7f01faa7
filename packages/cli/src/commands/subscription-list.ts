import { type PageRequest, type PublishedSubscription, subscriptionRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

interface Options extends ListOptions {
  readonly feed?: string
  readonly status?: string
  readonly email?: string
}

const COLUMNS: readonly Column<PublishedSubscription>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'E-MAIL', cell: ({ email }) => email },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'FEED', cell: ({ feed }) => feed },
  { head: 'STATUS', cell: ({ status }) => status },
  { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
]

export const subscriptionList: Verb = {
  name: 'list',
  summary: 'List subscriptions',
  details: LIST_DETAILS,
  examples: [
    'rollcall subscription list --feed news --status confirmed',
    'rollcall subscription list --email ada@example.com',
    'rollcall subscription list --limit 100 --json',
  ],
  define: (command, session) => {
    addListOptions(command)
      .option('--feed <name>', 'only those of this feed')
      .option('--status <status>', 'only those that are pending, confirmed or ended')
      .option('--email <address>', 'only those of this address, on all feeds')
      .action(async ({ feed, status, email, ...options }: Options) => {
        await session.withUseCases(async ({ listSubscriptions }, caller) => {
          const page = (request: PageRequest) => listSubscriptions.execute({ ...request, feed, status, email }, caller)
          const nothing = 'There are no such subscriptions.'
          await printList(session, { page, columns: COLUMNS, representation: subscriptionRecord, nothing }, options)
        })
      })
  },
}
