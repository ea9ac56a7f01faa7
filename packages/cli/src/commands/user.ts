import { receiptRecord, userExportLists, userExportRecord, userRecord } from '@rollcall/core'
import { Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { deleteList } from '../deletion/delete-list.ts'
import { deleteOne } from '../deletion/delete-one.ts'
import { openPlan } from '../deletion/deletion-plan.ts'
import { openIdSource } from '../deletion/id-source.ts'
import { namingRestore } from '../deletion/name-restore.ts'
import { planDeletions } from '../deletion/plan-deletions.ts'
import { listVerb, SORT } from '../listing.ts'
import { collected, fateOption } from '../options.ts'
import type { Session } from '../session.ts'
import { printRecord } from '../table-printer.ts'
import { dayText, shortInstantText, visibleJson } from '../texts.ts'
import type { Verb } from '../verb.ts'
import { userPut, userSet } from './user-change.ts'
import { userImport } from './user-import.ts'
import { userResume, userSuspend } from './user-suspension.ts'

const list = listVerb({
  summary: 'List users',
  examples: [
    'rollcall user list',
    'rollcall user list --role admin',
    'rollcall user list --query smith --limit 20 --json',
    'rollcall user list --inactive-since 2026-01-31',
  ],
  filters: [
    ['--query <words>', 'only those whose id, name, e-mail address or domain have words that begin so'],
    ['--role <role>', 'only those with this role'],
    ['--suspended', 'only those that are suspended'],
    ['--inactive-since <day>', 'only those neither seen nor created on this day or later'],
    SORT,
  ],
  page: ({ listUsers }, request, caller) => listUsers.execute(request, caller),
  columns: [
    { head: 'ID', cell: ({ id }) => id },
    { head: 'E-MAIL', cell: ({ email }) => email },
    { head: 'NAME', cell: ({ name }) => name },
    { head: 'ROLES', cell: ({ roles }) => roles.join(' ') },
    { head: 'SUSPENDED', cell: ({ suspendedAt }) => shortInstantText(suspendedAt) },
    { head: 'SEEN', cell: ({ lastSeenAt }) => dayText(lastSeenAt) },
    { head: 'CREATED', cell: ({ createdAt }) => shortInstantText(createdAt) },
  ],
  representation: userRecord,
  nothing: 'There are no such users.',
})

const show: Verb = {
  name: 'show',
  summary: 'Show a user',
  examples: ['rollcall user show brian', 'rollcall user show brian --json'],
  define: (command, session) =>
    command.argument('<id>', 'of the user').action(async (userId: string) => {
      const user = await namingRestore(session, userId, ({ getUser }, caller) => getUser.execute({ userId }, caller))
      await printRecord(session, userRecord(user), [
        ['ID', user.id],
        ['E-mail', user.email],
        ['Name', user.name],
        ['Roles', user.roles.join(' ')],
        ...(user.suspendedAt === undefined ? [] : [['Suspended', shortInstantText(user.suspendedAt)] as const]),
        ...(user.lastSeenAt === undefined ? [] : [['Last seen', dayText(user.lastSeenAt)] as const]),
        ['Created', shortInstantText(user.createdAt)],
        ['Updated', shortInstantText(user.updatedAt)],
      ])
    }),
}

interface DeleteOptions {
  readonly from?: string
  readonly ignore?: readonly string[]
  readonly dryRun?: boolean
  readonly plan?: string
  readonly apply?: string
  readonly report?: string
  readonly yes?: boolean
  readonly reason?: string
  readonly subscriptions?: 'keep' | 'erase'
}

const DELETION = [
  'Asks once; for more than one user, you type their number. Without a terminal, or with a list that can be ' +
    'read only once (standard input, a pipe), --yes is needed.',
  'A list has one id per line, or is CSV whose first line names a column `id`. Other columns are not used, and are named; one that may say who is meant, such as status or keep, has to be ignored by name. Blank and repeated rows are ' +
    'counted and skipped. A run over a list goes on past the rows that are refused and ends with a report. It can ' +
    'be stopped with Ctrl-C (a second one stops it at once) and run again: users that are deleted already count ' +
    'as done. Exit code 3 says that some were not found or refused; for a single id, also that it was deleted ' +
    'already. A --reason that names a user of the list is refused before any user is deleted.',
  '--plan writes what a dry run finds, and changes nothing; --apply deletes exactly the users of the plan, each ' +
    'only if the user and the number of its subscriptions are unchanged, with the --reason and the ' +
    '--subscriptions that the plan was made with. Users that were refused in the plan are left out. Lines may be ' +
    'removed from a plan by hand; one that was changed is refused. A plan that was stopped can be applied again: ' +
    'users that it has deleted count as done, users that were deleted otherwise are refused.',
  'A dry run shows the first and the last few rows, the refused ones, and the counts. --report writes what became ' +
    'of every row, as NDJSON or CSV by the ending of its name. With --json a list, ' +
    'and its dry run, prints one document per line: one for each row, and {"report":...} as the last. A single id ' +
    'prints one document.',
]

const deletion: Verb = {
  name: 'delete',
  summary: 'Delete users permanently',
  details: DELETION.join('\n\n'),
  examples: [
    'rollcall user delete brian --reason "asked for it, ticket 4711"',
    'rollcall user delete --from leavers.csv --dry-run',
    'rollcall user delete --from leavers.csv --subscriptions erase --report deleted.csv',
    'rollcall user delete --from leavers.csv --plan leavers.plan --reason "left in May"',
    'rollcall user delete --apply leavers.plan --yes',
    'cut -f1 leavers.tsv | rollcall user delete --from - --yes --json > report.ndjson',
  ],
  define: (command, session) =>
    command
      .argument('[id...]', 'of the users')
      .option('--from <file>', 'read ids from a file; - is standard input')
      .option('--ignore <column>', 'do not use this column of the list; may be given several times', collected)
      .option('--dry-run', 'count what would be deleted and what would be refused, and change nothing')
      .option('--plan <file>', 'write what a dry run finds; implies --dry-run')
      .addOption(new Option('--apply <file>', 'do what a plan says, and nothing else').conflicts(FIXED_BY_PLAN))
      .option('--report <file>', 'write what became of every row; NDJSON, or CSV where the name ends in .csv')
      .option('--yes', 'do not ask')
      .option('--reason <text>', 'why, for the audit trail; without the name and the address of the user')
      .addOption(fateOption('what becomes of subscriptions of the same address (default: keep)'))
      .action(async (ids: string[], options: DeleteOptions) => {
        const { apply } = options
        await (apply === undefined ? deleteListed(session, ids, options) : applyPlan(session, apply, ids, options))
      }),
}

const FIXED_BY_PLAN = ['from', 'ignore', 'plan', 'reason', 'subscriptions']

const deleteListed = async (session: Session, ids: readonly string[], options: DeleteOptions): Promise<void> => {
  const { from, dryRun, plan: planFile, report: reportFile, yes = false, reason, subscriptions = 'keep' } = options
  const [first] = ids
  if (first === undefined && from === undefined)
    throw usageError('Say which users: give ids, or --from with a file of ids. See `rollcall user delete --help`.')
  const single = from === undefined && reportFile === undefined && ids.length === 1
  const terms = { reason, subscriptions }
  const planned = dryRun || planFile !== undefined
  if (single && first !== undefined && !planned) return await deleteOne(session, first, terms, { yes })
  let isNoted = false
  const onOthers = async (names: readonly string[]): Promise<void> => {
    // A list may be read twice: to count it, and to carry it out.
    if (!isNoted) await session.remark(`Not used of the list: ${names.map((name) => `'${name}'`).join(', ')}`)
    isNoted = true
  }
  const columns = { ignored: options.ignore, onOthers }
  const source = await openIdSource({ ids, from, columns }, session.io.stdin, session.io.signal)
  if (planned) await planDeletions(session, source, terms, { single, planFile, reportFile })
  else await deleteList(session, source, terms, { yes, reportFile })
}

const applyPlan = async (
  session: Session,
  path: string,
  ids: readonly string[],
  { dryRun, report: reportFile, yes = false }: DeleteOptions,
): Promise<void> => {
  if (ids.length > 0) throw usageError('The plan says who is deleted: give no ids with --apply.')
  const { plan, source } = await openPlan(path, session.io.signal)
  const terms = { reason: plan.reason, subscriptions: plan.subscriptions, plan }
  if (dryRun) await planDeletions(session, source, terms, { single: false, planFile: undefined, reportFile })
  else await deleteList(session, source, terms, { yes, reportFile })
}

const restore: Verb = {
  name: 'restore',
  summary: 'Undo the deletion of a user',
  details:
    'Only within ROLLCALL_DELETE_GRACE; after that a deletion is permanent. The user is as it was; access tokens ' +
    'that were issued up to the deletion stay refused.',
  examples: ['rollcall user restore brian', 'rollcall user restore brian --reason "ticket 4711: a mistake"'],
  define: (command, session) =>
    command
      .argument('<id>', 'of the user')
      .option('--reason <text>', 'why, for the audit trail; without name and address')
      .action(async (userId: string, { reason }: { readonly reason?: string }) => {
        const user = await session.execute('restoreUser', { userId, reason })
        await session.answer(userRecord(user), `Restored user ${user.id}.`)
      }),
}

const erasure: Verb = {
  name: 'erasure',
  summary: 'Show the receipt of a deletion',
  details: 'When and why it was, who did it, what was erased, and what was kept.',
  examples: ['rollcall user erasure brian', 'rollcall user erasure brian --json'],
  define: (command, session) =>
    command.argument('<id>', 'of the deleted user').action(async (userId: string) => {
      const receipt = await session.execute('getErasureReceipt', { userId })
      const { tombstone, record } = receipt
      const { erased, erasesAt, subscriptionsKept } = tombstone
      await printRecord(session, receiptRecord(receipt), [
        ['ID', receipt.userId],
        ['Deleted', shortInstantText(tombstone.deletedAt)],
        ['By', record?.actor ?? ''],
        ['Reason', record?.reason ?? ''],
        ['Erased', erasesAt === undefined ? 'at once' : `not before ${shortInstantText(erasesAt)}`],
        ['Roles gone', erased.roles],
        ['Subscriptions erased', erased.subscriptions],
        ['Subscriptions kept', subscriptionsKept],
        ['Mails erased', erased.mails],
        ['Tokens erased', erased.tokens],
        ['Audit record', record?.sequence ?? 'not sealed yet'],
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
    command.argument('<id>', 'of the user').action(async (userId: string) => {
      await namingRestore(session, userId, async ({ exportUser }, caller) => {
        const found = await exportUser.execute({ userId }, caller)
        await session.stdout.write(visibleJson(userExportRecord(found)).slice(0, -1))
        for (const [name, records] of Object.entries(userExportLists(found))) {
          let before = `,"${name}":[`
          for await (const record of records) {
            session.throwIfInterrupted()
            await session.stdout.write(`${before}\n${visibleJson(record)}`)
            before = ','
          }
          await session.stdout.write(before === ',' ? '\n]' : `${before}\n]`)
        }
        await session.stdout.write('}\n')
      })
    }),
}

export const verbs: readonly Verb[] = [
  list,
  show,
  userPut,
  userSet,
  deletion,
  restore,
  userSuspend,
  userResume,
  erasure,
  exportAll,
  userImport,
]
