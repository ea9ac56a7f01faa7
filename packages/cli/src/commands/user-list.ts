import { type PageRequest, type PublishedUser, userRecord } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addListOptions, LIST_DETAILS, type ListOptions, printList } from '../listing.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

interface Options extends ListOptions {
  readonly query?: string
  readonly role?: string
}

const COLUMNS: readonly Column<PublishedUser>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'E-MAIL', cell: ({ email }) => email },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'ROLES', cell: ({ roles }) => roles.join(' ') },
  { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
]

export const userList: Verb = {
  name: 'list',
  summary: 'List users',
  details: LIST_DETAILS,
  examples: [
    'rollcall user list',
    'rollcall user list --role admin',
    'rollcall user list --query smith --limit 20 --json',
  ],
  define: (command, session) => {
    addListOptions(command)
      .option('--query <text>', 'only those with this in their id, name or e-mail address')
      .option('--role <role>', 'only those with this role')
      .action(async ({ query, role, ...options }: Options) => {
        await session.withUseCases(async ({ listUsers }, caller) => {
          const page = (request: PageRequest) => listUsers.execute({ ...request, query, role }, caller)
          const nothing = 'There are no such users.'
          await printList(session, { page, columns: COLUMNS, representation: userRecord, nothing }, options)
        })
      })
  },
}
