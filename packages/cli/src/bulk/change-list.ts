import { ExitCode, interrupted, usageError } from '../cli-error.ts'
import { progressOf } from '../progress.ts'
import { agreeToNumber, requireNamedServer, requireTerminal } from '../question.ts'
import { isRefusal, type Service } from '../service/service.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import { BulkAsker, type BulkOrder } from './bulk-order.ts'
import { BulkTally, printForeseen, printReport } from './bulk-report.ts'
import { bulkRowRepresentation, openReport, refusalOf, requireNewReport } from './bulk-row.ts'
import { askForOne } from './change-one.ts'
import { undoable } from './grace.ts'
import { countIds, firstMeant, type IdCount, type IdRow, type IdSource, spooled } from './id-source.ts'
import { RowBundles } from './row-bundles.ts'

interface ChangeListOptions {
  /** Without asking. */
  readonly yes: boolean
  readonly allowEmpty: boolean
  readonly reportFile: string | undefined
}

/** Changes every user of a list, goes on past the refused ones, and ends with a report. */
export const changeList = async (
  session: Session,
  source: IdSource,
  order: BulkOrder,
  options: ChangeListOptions,
): Promise<void> => {
  if (options.yes) requireNamedServer(session)
  await session.requireForeign(options.reportFile)
  await requireNewReport(options.reportFile)
  if (!options.yes) {
    requireTerminal(session, order.kind.todo)
    if (!source.rereadable)
      throw usageError(
        'This list can be read only once, so it cannot be counted before you are asked. Add --yes, or save it to a file.',
      )
  }
  await session.withService(async (service) => {
    // Read once: who is shown and agreed to is who is changed, and a list that is broken at its end changes none.
    await using spool = await spooled(source)
    await changeRows(session, service, order, spool, options)
  })
}

const AGAIN =
  'Interrupted. Run the same command again to go on where it stopped (with another --report, where one was given).'

/** Bundles that are under way together: the service has the next when one is done. */
const BUNDLES = 2

const changeRows = async (
  session: Session,
  service: Service,
  order: BulkOrder,
  source: IdSource,
  { yes, allowEmpty, reportFile }: ChangeListOptions,
): Promise<void> => {
  const { kind, terms } = order
  const found = await countIds(source)
  if (terms.reason !== undefined) await requireDiscreetReason(session, service, order, source.rows(), found.rows)
  if (!yes) await ask(session, service, { order, source, found })
  const report = await openReport(reportFile)
  const run = new RowBundles(session.io.signal, progressOf(session, { doing: kind.doing, total: found.rows }))
  const tally = new BulkTally(kind)
  const asker = new BulkAsker(service, order, { dryRun: false })
  try {
    for await (const row of run.each(source.rows(), (some) => asker.ask(some), BUNDLES)) {
      tally.add(row)
      if (session.json) await session.printJson(bulkRowRepresentation(row))
      await run.attempt(async () => await report?.add(row))
    }
  } finally {
    await run.attempt(async () => await report?.finish())
  }
  await printReport(session, tally, { dryRun: false, interrupted: run.interrupted, showRefused: true })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted(AGAIN)
  tally.requireRows({ allowEmpty })
  if (tally.refused > 0) session.exitCode = ExitCode.refused
}

/** As many users are shown before one is asked about them. */
const MOST_SHOWN = 10

/** @throws {CliError} the answer is no, or not the number of users */
const ask = async (
  session: Session,
  service: Service,
  {
    order: { kind, terms, plan },
    source,
    found: { users, first },
  }: { readonly order: BulkOrder; readonly source: IdSource; readonly found: IdCount },
): Promise<void> => {
  if (first === undefined) return
  if (users > 1 || !kind.subscriptions) {
    if (plan !== undefined) await session.note(`This plan was made by ${plan.createdBy} at ${plan.createdAt}.`)
    const asker = new BulkAsker(service, { kind, terms, plan }, { dryRun: true })
    const shown = await asker.ask(await firstMeant(source, MOST_SHOWN))
    if (users <= MOST_SHOWN) await printForeseen(session, kind, shown)
    const undo = kind.subscriptions && undoable(asker.grace)
    const fate = ` Subscriptions of their addresses ${terms.subscriptions === 'erase' ? 'are erased, too' : 'stay'}.`
    await session.note(`${counted(users, 'user')} ${kind.will}.${kind.subscriptions ? `${fate} ${undo}` : ''}`)
    return await agreeToNumber(
      session,
      users,
      `Type ${users} to ${kind.todo} them:`,
      `No user was ${kind.past}, because it was not confirmed.`,
    )
  }
  try {
    await askForOne(session, service, first, terms)
  } catch (error) {
    // In a list, a user who was deleted before counts as done.
    if (!isRefusal(error, 'UserDeleted')) throw error
  }
}

/**
 * Checks the reason against every user of the list before one is changed: it is stored in the audit record of each, and
 * there it must not say who another one was.
 * @throws {RollcallError} it is too long, or says who one of them is
 */
const requireDiscreetReason = async (
  session: Session,
  service: Service,
  { kind, terms }: BulkOrder,
  rows: AsyncIterable<IdRow>,
  total: number,
): Promise<void> => {
  const asker = new BulkAsker(service, { kind, terms }, { dryRun: true })
  const run = new RowBundles(session.io.signal, progressOf(session, { doing: 'Checking the reason', total }))
  for await (const { id, error } of run.each(rows, (some) => asker.ask(some.map(withoutPlan)), 1))
    if (error?.name === 'InvalidInput')
      throw refusalOf({ ...error, message: `${error.message} No user was ${kind.past}: it is about ${id}.` })
  run.rethrowTrouble()
  if (run.interrupted) session.throwIfInterrupted()
}

const withoutPlan = ({ id, repeated, refusal }: IdRow): IdRow => ({ id, repeated, refusal })
