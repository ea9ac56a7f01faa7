import { addListOptions, addSource, changeUsers, LISTS, type ListOptions } from '../bulk/bulk-verb.ts'
import { deleteOne } from '../bulk/change-one.ts'
import { KINDS } from '../bulk/kinds.ts'
import { namingRestore } from '../bulk/name-restore.ts'
import { findCurrent } from '../losses.ts'
import { fateOption } from '../options.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface DeleteOptions extends ListOptions {
  readonly reason?: string
  readonly subscriptions?: 'keep' | 'erase'
}

const DELETION = [
  'If the service has a grace (ROLLCALL_DELETE_GRACE), a deletion cuts access and hides the user at once; `rollcall ' +
    'user restore` undoes it until the grace is over, and only then everything is erased. Without a grace nothing ' +
    'undoes it. The question, the dry run and the report say which it is.',
  'Asks once; for more than one user, it shows up to ten, and you type their number. Without a terminal, or with a ' +
    'list that can be read only once (standard input, a pipe), --yes is needed.',
  'A list has one id per line, or is CSV with a column `id` (or what --map id=... says), or JSON: an array of ids or ' +
    'of objects. With --by email the column is `email`, and each address is looked up once, before you are asked. ' +
    'What PowerShell, Excel and Entra ID write before the columns is passed over. Other columns are named, and not ' +
    'used; one that may say who is meant, such as status or keep, has to be ignored by name. Blank and repeated rows ' +
    'are counted and skipped. A list is read to its end, standard input as well, before the first user is deleted.',
  'A run over a list goes on past refused rows. It can be stopped with Ctrl-C (a second one stops it at once) and run ' +
    'again: users that are deleted already count as done; by address they are not found any more, so make a plan, which ' +
    'holds ids, of a long list with --by email. Exit code 3 says that some were not found or refused; for ' +
    'a single id, also that it was deleted already. A --reason that names a user of the list is refused before any ' +
    'user is deleted.',
  '--apply deletes exactly the users that --plan wrote, each only if the user, the number of its ' +
    'subscriptions and the grace are unchanged, with the --reason and the --subscriptions of the plan. Users that were refused are left out. Lines ' +
    'may be removed from a plan by hand; one that was changed is refused. A plan that was stopped can be applied ' +
    'again: users that it has deleted count as done, users that were deleted otherwise are refused.',
  'With --json a list, and its dry run, prints one document per line: one for each row, and {"report":...} as the ' +
    'last. A single id prints one document.',
]

export const userDelete: Verb = {
  name: 'delete',
  summary: 'Delete users permanently',
  details: DELETION.join('\n\n'),
  examples: [
    'rollcall user delete brian --reason "asked for it, ticket 4711"',
    'rollcall user delete --from leavers.csv --dry-run',
    'rollcall user delete --by email --from leavers.csv --map email="Work address" --dry-run',
    'rollcall user delete --from leavers.csv --subscriptions erase --report deleted.csv',
    'rollcall user delete --from leavers.csv --plan leavers.plan --reason "left in May"',
    'rollcall user delete --apply leavers.plan --yes',
    'cut -f1 leavers.tsv | rollcall user delete --from - --yes --json > report.ndjson',
  ],
  define: (command, session) =>
    addListOptions(command, KINDS.delete, ['reason', 'subscriptions'])
      .option('--reason <text>', 'why, for the audit trail; without the name and the address of the user')
      .addOption(fateOption('what becomes of subscriptions of the same address (default: keep)'))
      .action(async (ids: string[], { reason, subscriptions = 'keep', ...options }: DeleteOptions) => {
        const terms = { reason, subscriptions }
        await changeUsers(session, KINDS.delete, { ids, options, terms }, (userId) =>
          deleteOne(session, userId, terms, { yes: options.yes ?? false }),
        )
      }),
}

export const userRestore: Verb = {
  name: 'restore',
  summary: 'Undo the deletion of users',
  details:
    'Only within ROLLCALL_DELETE_GRACE; `rollcall user list --held` shows who can come back, and until when. After that a deletion is permanent. The user is as it was; access tokens ' +
    `that were issued up to the deletion stay refused. ${LISTS(KINDS.restore).split(':')[0]}.`,
  examples: [
    'rollcall user restore brian',
    'rollcall user restore brian --reason "ticket 4711: a mistake"',
    'rollcall user restore --from leavers.csv --yes',
  ],
  define: (command, session) =>
    addSource(command)
      .option('--reason <text>', 'why, for the audit trail; without name and address')
      .action(async (ids: string[], { reason, ...options }: DeleteOptions) => {
        await changeUsers(session, KINDS.restore, { ids, options, terms: { reason } }, (userId) =>
          restoreOne(session, userId, reason),
        )
      }),
}

/** One who is there stays so: that is said, and is no error. */
const restoreOne = async (session: Session, userId: string, reason: string | undefined): Promise<void> => {
  await namingRestore(
    session,
    userId,
    async (service, named) => {
      const current = await findCurrent(() => service.ask('getUser', named))
      const user = current ?? (await service.ask('restoreUser', { ...named, body: { reason } }))
      const sentence = current === undefined ? `Restored user ${user.id}.` : `User ${user.id} is not deleted.`
      await session.answer(user, sentence)
    },
    { onlyById: true },
  )
}
