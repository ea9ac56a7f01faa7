import type { FieldNames } from '@rollcall/core'
import { type Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { collected, fieldNames, once } from '../options.ts'
import type { Session } from '../session.ts'
import { type By, byEmail, idOf, noticingAddresses } from './by-email.ts'
import { changeList } from './change-list.ts'
import { type IdSource, openIdSource, spooled } from './id-source.ts'
import { type BulkTerms, KINDS, type Kind } from './kinds.ts'
import { planChanges } from './plan-changes.ts'
import { openPlan } from './plan-file.ts'

export interface ListOptions {
  readonly by?: By
  readonly map?: FieldNames
  readonly from?: string
  readonly ignore?: readonly string[]
  readonly dryRun?: boolean
  readonly plan?: string
  readonly apply?: string
  readonly report?: string
  readonly yes?: boolean
  readonly allowEmpty?: boolean
}

/** What a list and a plan are, for the help of a command. */
export const LISTS = (kind: Kind): string =>
  `Several ids, or a list with --from, are ${kind.past} as \`rollcall user delete\` deletes them: its help explains lists and plans.`

/** The arguments and options of a command that changes one user, or every user of a list. */
export const addListOptions = (command: Command, { past }: Kind, fixed: readonly string[]): Command =>
  addSource(command)
    .addOption(BY())
    .option('--dry-run', `count what would be ${past} and what would be refused, and change nothing`)
    .option('--plan <file>', 'write what a dry run finds; implies --dry-run')
    .addOption(
      new Option('--apply <file>', 'do what a plan says, and nothing else').conflicts([
        'from',
        'by',
        'map',
        'ignore',
        'plan',
        ...fixed,
      ]),
    )

export const BY = (): Option =>
  new Option('--by <what>', 'what users are named by: their id (default) or email').choices(['id', 'email'])

/** The same of one that has no plan. */
export const addSource = (command: Command): Command =>
  command
    .argument('[id...]', 'of the users')
    .option('--from <file>', 'read ids from a file; - is standard input', once)
    .option(
      '--map <field=name>',
      'what the column of the ids is called, as in id=login; or of the addresses',
      fieldNames,
    )
    .option('--ignore <column>', 'do not use this column of the list; may be given several times', collected)
    .option('--report <file>', 'write what became of every row; NDJSON, or CSV where the name ends in .csv')
    .option('--yes', 'do not ask')
    .option('--allow-empty', 'a list that names no user is in order; without this it is exit code 3')

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
  const {
    apply,
    by = 'id',
    dryRun = false,
    from,
    ignore,
    plan: planFile,
    report: reportFile,
    yes = false,
    allowEmpty = false,
  } = options
  if (apply !== undefined) return await applyPlan(session, kind, apply, ids, options)
  const [first] = ids
  if (first === undefined && from === undefined)
    throw usageError(
      `Say which users: give ids, or --from with a file of ids. See \`rollcall user ${kind.verb} --help\`.`,
    )
  // Who is deleted is found by its id alone.
  const onlyById = kind === KINDS.restore
  const column = columnOf(options, by, onlyById)
  const single = isSingle(ids, options)
  const planned = dryRun || planFile !== undefined
  if (single && first !== undefined && !planned) return await one(await idOf(session, first, by))
  const onOthers = async (names: readonly string[]): Promise<void> => {
    await session.remark(`Not used of the list: ${names.map((name) => `'${name}'`).join(', ')}`)
  }
  const source = await openIdSource(
    { ids, from, columns: { ignored: ignore, column, by, onlyById, onOthers } },
    session.io.stdin,
    session.io.signal,
  )
  const carryOut = async (rows: IdSource): Promise<void> => {
    if (planned) await planChanges(session, rows, { kind, terms }, { single, allowEmpty, planFile, reportFile })
    else await changeList(session, rows, { kind, terms }, { yes, allowEmpty, reportFile })
  }
  if (by === 'id') return await carryOut(noticingAddresses(session, source, onlyById))
  // Looked up once: who is shown and agreed to is who is changed, whatever becomes of the addresses meanwhile.
  const found = await session.withService((service) => spooled(byEmail(service, source)))
  try {
    await carryOut({ ...found, rereadable: source.rereadable })
  } finally {
    await found[Symbol.asyncDispose]()
  }
}

/** @throws {CliError} the map is about something else, or there is no list */
const columnOf = ({ map = {}, from }: ListOptions, by: By, onlyById: boolean): string | undefined => {
  const fields = Object.keys(map)
  if (fields.length > 0 && from === undefined) throw usageError('--map is about the columns of a list: give --from.')
  if (fields.some((field) => field !== by))
    throw usageError(
      `Of this list only ${by} is used: write --map ${by}=COLUMN${by === 'id' && !onlyById ? ', or add --by email' : ''}.`,
    )
  return (map as Readonly<Record<string, string>>)[by]
}

const applyPlan = async (
  session: Session,
  kind: Kind,
  path: string,
  ids: readonly string[],
  { dryRun, report: reportFile, yes = false, allowEmpty = false }: ListOptions,
): Promise<void> => {
  if (ids.length > 0) throw usageError(`The plan says who is ${kind.past}: give no ids with --apply.`)
  const { plan, source } = await openPlan(path, kind, session.io.signal)
  const order = { kind, terms: plan.terms, plan }
  if (dryRun) await planChanges(session, source, order, { single: false, allowEmpty, planFile: undefined, reportFile })
  else await changeList(session, source, order, { yes, allowEmpty, reportFile })
}
