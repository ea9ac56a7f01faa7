import { Option } from 'commander'
import { requireSomebody } from '../agreement.ts'
import { usageError } from '../cli-error.ts'
import { deleteMany } from '../deletion/delete-many.ts'
import { deleteOne } from '../deletion/delete-one.ts'
import { type DeletionOrder, singleId } from '../deletion/deletion-order.ts'
import { openIdSource } from '../deletion/id-source.ts'
import { planDeletions } from '../deletion/plan-deletions.ts'
import type { Session } from '../session.ts'
import type { Verb } from '../verb.ts'

interface Options {
  readonly from?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly reason?: string
  readonly subscriptions?: 'keep' | 'erase'
}

const ASKING =
  'Asks once; for more than one user, to type their number. Without a terminal, or with a list that can be read only ' +
  'once (standard input, a pipe), --yes is needed.'

const LISTS =
  'A list has one id a line, or is CSV whose first line names a column `id`. Blank and repeated rows are counted and ' +
  'skipped. A run over a list goes on past the rows that are refused and ends with a report. It can be stopped with ' +
  'Ctrl-C and run again: who is deleted already counts as done. Exit code 3 says that some were not found or refused; ' +
  'for a single id, also that it was deleted already.'

const JSON_LINES =
  'With --json a list, and its dry run, prints a document a line: one for each row, and {"report":...} as the last. ' +
  'A single id prints one document.'

export const userDelete: Verb = {
  name: 'delete',
  summary: 'Delete users for good',
  details: `${ASKING}\n\n${LISTS}\n\n${JSON_LINES}`,
  examples: [
    'rollcall user delete brian --reason "asked for it, ticket 4711"',
    'rollcall user delete --from leavers.csv --dry-run',
    'rollcall user delete --from leavers.csv --subscriptions erase',
    'cut -f1 leavers.tsv | rollcall user delete --from - --yes --json > report.ndjson',
  ],
  define: (command, session) => {
    command
      .argument('[id...]', 'of the users')
      .option('--from <file>', 'read ids from a file; - is standard input')
      .option('--dry-run', 'say what would go and what would be refused, and change nothing')
      .option('--yes', 'do not ask')
      .option('--reason <text>', 'why, for the audit trail; without the name and the address of the user')
      .addOption(
        new Option(
          '--subscriptions <fate>',
          'what becomes of subscriptions of the same address (default: keep)',
        ).choices(['keep', 'erase']),
      )
      .action(async (ids: string[], options: Options) => {
        const { from, dryRun = false, yes = false, reason, subscriptions = 'keep' } = options
        await carriedOut(session, { ids, from, dryRun, yes, reason, subscriptions })
      })
  },
}

const carriedOut = async (session: Session, order: DeletionOrder): Promise<void> => {
  const { io } = session
  if (order.ids.length === 0 && order.from === undefined)
    throw usageError('Say who: give ids, or --from with a file of ids. See `rollcall user delete --help`.')
  const source = await openIdSource(order, io.stdin, io.signal)
  if (!order.dryRun && !order.yes) {
    requireSomebody(io)
    if (!source.rereadable)
      throw usageError(
        'This list can be read only once, so nobody can be asked before. Add --yes, or save it to a file.',
      )
  }
  const single = singleId(order)
  await session.withUseCases(async (useCases, caller) => {
    if (order.dryRun) await planDeletions(session, useCases, caller, source, order)
    else if (single !== undefined) await deleteOne(session, useCases, caller, single, order)
    else await deleteMany(session, useCases, caller, source, order)
  })
}
