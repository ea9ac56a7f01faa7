import type { HeldUser } from '@rollcall/client'
import { ReceiptNotFound } from '@rollcall/core'
import { BY } from '../bulk/bulk-verb.ts'
import { type By, idOf } from '../bulk/by-email.ts'
import { keptSubscriptions, namingRestore } from '../bulk/name-restore.ts'
import { usageError } from '../cli-error.ts'
import { type Listing, listVerb, SORT } from '../listing.ts'
import { inPath } from '../service/service.ts'
import { printRecord } from '../table-printer.ts'
import { dayText, shortInstantText, visible } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { userPut, userSet } from './user-change.ts'
import { userDelete, userRestore } from './user-deletion.ts'
import { userImport } from './user-import.ts'
import { userResume, userSuspend } from './user-suspension.ts'

const heldUsers: Listing<HeldUser> = {
  page: (service, { limit, cursor }) => service.ask('listHeldUsers', { limit, cursor }),
  columns: [
    { head: 'ID', cell: ({ user }) => user.id },
    { head: 'E-MAIL', cell: ({ user }) => user.email },
    { head: 'NAME', cell: ({ user }) => user.name },
    { head: 'DELETED', cell: ({ deleted_at }) => shortInstantText(deleted_at) },
    { head: 'ERASED ON', cell: ({ erases_at }) => shortInstantText(erases_at) },
  ],
  nothing: 'No deleted user can be restored.',
}

const list = listVerb({
  summary: 'List users',
  examples: [
    'rollcall user list',
    'rollcall user list --role admin',
    'rollcall user list --query smith --limit 20 --json',
    'rollcall user list --held',
    'rollcall user list --inactive-since 2026-01-31',
  ],
  filters: [
    ['--query <words>', 'only those whose id, name, e-mail address or domain have words that begin so'],
    ['--role <role>', 'only those with this role'],
    ['--suspended', 'only those that are suspended'],
    ['--held', 'instead, those that were deleted and can be restored, in the order of their ids'],
    ['--inactive-since <day>', 'only those neither seen nor created on this day or later'],
    SORT,
  ],
  page: (service, { query, role, suspended, inactiveSince: inactive_since, sort, limit, cursor }) =>
    service.ask('listUsers', { query, role, suspended, inactive_since, sort, limit, cursor }),
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'E-MAIL', cell: ({ email }) => email },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'ROLES', cell: ({ roles }) => roles.join(' ') },
    { head: 'SUSPENDED', cell: ({ suspended_at }) => shortInstantText(suspended_at) },
    { head: 'SEEN', cell: ({ last_seen_at }) => dayText(last_seen_at) },
    { head: 'CREATED', cell: ({ created_at }) => shortInstantText(created_at) },
  ],
  nothing: 'No user was found.',
  instead: ({ held = false, limit: _, after: __, ...others }) => {
    if (!held) return undefined
    if (Object.keys(others).length > 0)
      throw usageError('--held lists all of them: leave out what narrows a list down.')
    return heldUsers as Listing<unknown>
  },
})

const show: Verb = {
  name: 'show',
  summary: 'Show a user',
  examples: [
    'rollcall user show brian',
    'rollcall user show brian --json',
    'rollcall user show --by email brian@example.com',
  ],
  define: (command, session) =>
    command
      .argument('<id>', 'of the user')
      .addOption(BY())
      .action(async (text: string, { by }: { readonly by?: By }) => {
        const userId = await idOf(session, text, by)
        const user = await namingRestore(session, userId, (service, named) => service.ask('getUser', named))
        await printRecord(session, user, [
          ['ID', user.id],
          ['E-mail', user.email],
          ['Name', user.name],
          ['Roles', user.roles.join(' ')],
          ...(user.suspended_at === undefined ? [] : [['Suspended', shortInstantText(user.suspended_at)] as const]),
          ...(user.last_seen_at === undefined ? [] : [['Last seen', dayText(user.last_seen_at)] as const]),
          ['Created', shortInstantText(user.created_at)],
          ['Updated', shortInstantText(user.updated_at)],
        ])
      }),
}

const erasure: Verb = {
  name: 'erasure',
  summary: 'Show the receipt of a deletion',
  details: 'When and why it was, who did it, what was erased, and what was kept.',
  examples: ['rollcall user erasure brian', 'rollcall user erasure brian --json'],
  define: (command, session) =>
    command.argument('<id>', 'of the deleted user').action(async (userId: string) => {
      const receipt = await session.ask('getErasureReceipt', { userId: inPath(ReceiptNotFound, userId) })
      const { erased, erases_at } = receipt
      await printRecord(session, receipt, [
        ['ID', receipt.user_id],
        ['Deleted', shortInstantText(receipt.deleted_at)],
        ['By', receipt.deleted_by ?? ''],
        ['Reason', receipt.reason ?? ''],
        ['Erased', erases_at === null ? 'at once' : `not before ${shortInstantText(erases_at)}`],
        ['Roles gone', erased.roles],
        ['Subscriptions erased', erased.subscriptions],
        ['Subscriptions kept', keptSubscriptions(receipt)],
        ['Mails erased', erased.mails],
        ['Tokens erased', erased.tokens],
        ['Audit record', receipt.audit_sequence ?? 'not sealed yet'],
      ])
    }),
}

const exportAll: Verb = {
  name: 'export',
  summary: 'Print everything that is stored about a user',
  details:
    'One JSON document: the record, the subscriptions of the same address, what came back of mails to it, what senders reported that waits for a decision, the tokens that were issued to it, its sessions of the console, and what the audit trail says of it.',
  examples: ['rollcall user export brian > brian.json'],
  define: (command, session) =>
    command
      .argument('<id>', 'of the user')
      .addOption(BY())
      .action(async (text: string, { by }: { readonly by?: By }) => {
        const userId = await idOf(session, text, by)
        await namingRestore(session, userId, async (service, named) => {
          // As it comes, however long it is: outside of its texts, JSON has nothing that a terminal would act on.
          for await (const piece of await service.text('exportUser', named)) {
            session.throwIfInterrupted()
            await session.stdout.write(visible(piece))
          }
          await session.stdout.write('\n')
        })
      }),
}

export const verbs: readonly Verb[] = [
  list,
  show,
  userPut,
  userSet,
  userDelete,
  userRestore,
  userSuspend,
  userResume,
  erasure,
  exportAll,
  userImport,
]
