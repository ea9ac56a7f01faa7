import { type Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { collected } from '../options.ts'
import type { Session } from '../session.ts'
import { changeList } from './change-list.ts'
import { openIdSource } from './id-source.ts'
import type { BulkTerms, Kind } from './kinds.ts'
import { planChanges } from './plan-changes.ts'
import { openPlan } from './plan-file.ts'

export interface ListOptions {
  readonly from?: string
  readonly ignore?: readonly string[]
  readonly dryRun?: boolean
  readonly plan?: string
  readonly apply?: string
  readonly report?: string
  readonly yes?: boolean
}

/** What a list and a plan are, for the help of a command. */
export const LISTS = (kind: Kind): string =>
  `Several ids, or a list with --from, are ${kind.past} as \`rollcall user delete\` deletes them: it says there what a list is, and what --dry-run, --plan, --apply and --report do.`

/** The arguments and options of a command that changes one user, or every user of a list. */
export const addListOptions = (command: Command, { past }: Kind, fixed: readonly string[]): Command =>
  addSource(command)
    .option('--dry-run', `count what would be ${past} and what would be refused, and change nothing`)
    .option('--plan <file>', 'write what a dry run finds; implies --dry-run')
    .addOption(
      new Option('--apply <file>', 'do what a plan says, and nothing else').conflicts([
        'from',
        'ignore',
        'plan',
        ...fixed,
      ]),
    )

/** The same of one that has no plan. */
export const addSource = (command: Command): Command =>
  command
    .argument('[id...]', 'of the users')
    .option('--from <file>', 'read ids from a file; - is standard input')
    .option('--ignore <column>', 'do not use this column of the list; may be given several times', collected)
    .option('--report <file>', 'write what became of every row; NDJSON, or CSV where the name ends in .csv')
    .option('--yes', 'do not ask')

/** Whether the options are about one id that was named by hand. */
const isSingle = (ids: readonly string[], { from, report }: ListOptions): boolean =>
  from === undefined && report === undefined && ids.length === 1

/**
 * Changes the users that are named, or those of a list or a plan, or says what that would do.
 * @param one does it to one that was named by hand
 */
export const changeUsers = async (
  session: Session,
  kind: Kind,
  {
    ids,
    options,
    terms,
  }: { readonly ids: readonly string[]; readonly options: ListOptions; readonly terms: BulkTerms },
  one: (userId: string) => Promise<void>,
): Promise<void> => {
  const { apply, dryRun = false, from, ignore, plan: planFile, report: reportFile, yes = false } = options
  if (apply !== undefined) return await applyPlan(session, kind, apply, ids, options)
  const [first] = ids
  if (first === undefined && from === undefined)
    throw usageError(
      `Say which users: give ids, or --from with a file of ids. See \`rollcall user ${kind.verb} --help\`.`,
    )
  const single = isSingle(ids, options)
  const planned = dryRun || planFile !== undefined
  if (single && first !== undefined && !planned) return await one(first)
  let isNoted = false
  const onOthers = async (names: readonly string[]): Promise<void> => {
    // A list may be read twice: to count it, and to carry it out.
    if (!isNoted) await session.remark(`Not used of the list: ${names.map((name) => `'${name}'`).join(', ')}`)
    isNoted = true
  }
  const source = await openIdSource(
    { ids, from, columns: { ignored: ignore, onOthers } },
    session.io.stdin,
    session.io.signal,
  )
  if (planned) await planChanges(session, source, { kind, terms }, { single, planFile, reportFile })
  else await changeList(session, source, { kind, terms }, { yes, reportFile })
}

const applyPlan = async (
  session: Session,
  kind: Kind,
  path: string,
  ids: readonly string[],
  { dryRun, report: reportFile, yes = false }: ListOptions,
): Promise<void> => {
  if (ids.length > 0) throw usageError(`The plan says who is ${kind.past}: give no ids with --apply.`)
  const { plan, source } = await openPlan(path, kind, session.io.signal)
  const order = { kind, terms: plan.terms, plan }
  if (dryRun) await planChanges(session, source, order, { single: false, planFile: undefined, reportFile })
  else await changeList(session, source, order, { yes, reportFile })
}
