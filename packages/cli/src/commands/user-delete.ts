import { Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { deleteList } from '../deletion/delete-list.ts'
import { deleteOne } from '../deletion/delete-one.ts'
import { openPlan } from '../deletion/deletion-plan.ts'
import { openIdSource } from '../deletion/id-source.ts'
import { planDeletions } from '../deletion/plan-deletions.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly from?: string
  readonly dryRun?: boolean
  readonly plan?: string
  readonly apply?: string
  readonly report?: string
  readonly yes?: boolean
  readonly reason?: string
  readonly subscriptions?: 'keep' | 'erase'
}

const ASKING =
  'Asks once; for more than one user, you type their number. Without a terminal, or with a list that can be ' +
  'read only once (standard input, a pipe), --yes is needed.'

const LISTS =
  'A list has one id per line, or is CSV whose first line names a column `id`. Blank and repeated rows are ' +
  'counted and skipped. A run over a list goes on past the rows that are refused and ends with a report. It can ' +
  'be stopped with Ctrl-C (a second one stops it at once) and run again: users that are deleted already count ' +
  'as done. Exit code 3 says that some were not found or refused; for a single id, also that it was deleted ' +
  'already. A --reason that names a user of the list is refused before any user is deleted.'

const PLANS =
  '--plan writes what a dry run finds, and changes nothing; --apply deletes exactly the users of the plan, each ' +
  'only if the user and the number of its subscriptions are unchanged, with the --reason and the ' +
  '--subscriptions that the plan was made with. Users that were refused in the plan are left out. Lines may be ' +
  'removed from a plan by hand; one that was changed is refused. A plan that was stopped can be applied again: ' +
  'users that it has deleted count as done, users that were deleted otherwise are refused.'

const REPORTS =
  '--report writes what became of every row, as NDJSON or CSV by the ending of its name. With --json a list, ' +
  'and its dry run, prints one document per line: one for each row, and {"report":...} as the last. A single id ' +
  'prints one document.'

export const userDelete: Verb = {
  name: 'delete',
  summary: 'Delete users permanently',
  details: [ASKING, LISTS, PLANS, REPORTS].join('\n\n'),
  examples: [
    'rollcall user delete brian --reason "asked for it, ticket 4711"',
    'rollcall user delete --from leavers.csv --dry-run',
    'rollcall user delete --from leavers.csv --subscriptions erase --report deleted.csv',
    'rollcall user delete --from leavers.csv --plan leavers.plan --reason "left in May"',
    'rollcall user delete --apply leavers.plan --yes',
    'cut -f1 leavers.tsv | rollcall user delete --from - --yes --json > report.ndjson',
  ],
  define: (command, session) => {
    command
      .argument('[id...]', 'of the users')
      .option('--from <file>', 'read ids from a file; - is standard input')
      .option('--dry-run', 'show what would be deleted and what would be refused, and change nothing')
      .option('--plan <file>', 'write what a dry run finds; implies --dry-run')
      .addOption(
        new Option('--apply <file>', 'do what a plan says, and nothing else').conflicts([
          'from',
          'plan',
          'reason',
          'subscriptions',
        ]),
      )
      .option('--report <file>', 'write what became of every row; NDJSON, or CSV where the name ends in .csv')
      .option('--yes', 'do not ask')
      .option('--reason <text>', 'why, for the audit trail; without the name and the address of the user')
      .addOption(
        new Option(
          '--subscriptions <fate>',
          'what becomes of subscriptions of the same address (default: keep)',
        ).choices(['keep', 'erase']),
      )
      .action(async (ids: string[], options: Options) => {
        const { apply } = options
        await (apply === undefined ? deleteListed(session, ids, options) : applyPlan(session, apply, ids, options))
      })
  },
}

const deleteListed = async (session: Session, ids: readonly string[], options: Options): Promise<void> => {
  const { from, dryRun, plan: planFile, report: reportFile, yes = false, reason, subscriptions = 'keep' } = options
  const [first] = ids
  if (first === undefined && from === undefined)
    throw usageError('Say which users: give ids, or --from with a file of ids. See `rollcall user delete --help`.')
  const single = from === undefined && reportFile === undefined && ids.length === 1
  const terms = { reason, subscriptions }
  if (dryRun || planFile !== undefined) {
    const source = await openIdSource({ ids, from }, session.io.stdin, session.io.signal)
    await planDeletions(session, source, terms, { single, planFile, reportFile })
  } else if (single && first !== undefined) await deleteOne(session, first, terms, { yes })
  else {
    const source = await openIdSource({ ids, from }, session.io.stdin, session.io.signal)
    await deleteList(session, source, terms, { yes, reportFile })
  }
}

const applyPlan = async (session: Session, path: string, ids: readonly string[], options: Options): Promise<void> => {
  if (ids.length > 0) throw usageError('The plan says who is deleted: give no ids with --apply.')
  const { dryRun, report: reportFile, yes = false } = options
  const { plan, source } = await openPlan(path, session.io.signal)
  const { reason, subscriptions } = plan
  const terms = { reason, subscriptions, plan }
  if (dryRun) await planDeletions(session, source, terms, { single: false, planFile: undefined, reportFile })
  else await deleteList(session, source, terms, { yes, reportFile })
}
