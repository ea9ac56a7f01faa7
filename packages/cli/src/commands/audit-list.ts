import { type AuditRecord, auditEntryRecord, cursorOf, type PageRequest } from '@rollcall/core'
import { shortInstantText } from '../instant-text.ts'
import { addLimit, LIST_DETAILS, printList } from '../listing.ts'
import { wholeNumber } from '../option-values.ts'
import type { Column } from '../table-printer.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly limit?: number
  readonly after?: number
}

const COLUMNS: readonly Column<AuditRecord>[] = [
  { head: 'NO', cell: ({ sequence }) => sequence },
  { head: 'AT', cell: ({ at }) => shortInstantText(at) },
  { head: 'WHO', cell: ({ actor }) => actor },
  { head: 'BY', cell: ({ channel }) => channel },
  { head: 'ACTION', cell: ({ action }) => action },
  { head: 'TARGET', cell: ({ target }) => target ?? '' },
  { head: 'OUTCOME', cell: ({ outcome, count }) => (count === 1 ? outcome : `${outcome} (${count} times)`) },
  { head: 'REASON', cell: ({ reason }) => reason ?? '' },
]

export const auditList: Verb = {
  name: 'list',
  summary: 'List the audit trail',
  details: LIST_DETAILS,
  examples: ['rollcall audit list', 'rollcall audit list --after 1200 --limit 50', 'rollcall audit list --json'],
  define: (command, session) => {
    addLimit(command)
      .option('--after <number>', 'only what follows the record with this number', wholeNumber(0))
      .action(async ({ after, limit }: Options) => {
        await session.withUseCases(async ({ listAudit }, caller) => {
          const listing = {
            page: (request: PageRequest) => listAudit.execute(request, caller),
            columns: COLUMNS,
            representation: auditEntryRecord,
            nothing: 'There are no audit records.',
            // A record's position in the list is the number that people see (the audit store promises it).
            next: (position: number) => position,
          }
          await printList(session, listing, { limit, after: cursorOf(after) })
        })
      })
  },
}
