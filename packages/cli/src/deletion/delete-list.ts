import { InvalidInput, UserDeleted } from '@rollcall/core'
import { ExitCode, interrupted, usageError } from '../cli-error.ts'
import { progressOf } from '../progress.ts'
import { agreeToNumber, requireNamedServer, requireTerminal } from '../question.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import { type BulkDeletion, bulkDeletion, deleteRow } from './bulk-deletion.ts'
import { BulkRun, refusesOneRow } from './bulk-run.ts'
import { askForOne } from './delete-one.ts'
import { DeletionTally, printReport } from './deletion-report.ts'
import { type DeletionTerms, deletionRowRepresentation, openReport, requireNewReport } from './deletion-row.ts'
import { countIds, type IdCount, type IdRow, type IdSource, noMoreThan, spooled } from './id-source.ts'

interface DeleteListOptions {
  /** Without asking. */
  readonly yes: boolean
  /** Where to write what became of every row. */
  readonly reportFile: string | undefined
}

/** Deletes every user of a list, goes on past the refused ones, and ends with a report. */
export const deleteList = async (
  session: Session,
  source: IdSource,
  terms: DeletionTerms,
  options: DeleteListOptions,
): Promise<void> => {
  if (options.yes) requireNamedServer(session)
  await session.requireForeign(options.reportFile)
  await requireNewReport(options.reportFile)
  if (!options.yes) {
    requireTerminal(session.io)
    if (!source.rereadable)
      throw usageError(
        'This list can be read only once, so it cannot be counted before you are asked. Add --yes, or save it to a file.',
      )
  }
  await session.withUseCases(async (useCases, operator) => {
    const deletion = bulkDeletion(terms, useCases, operator)
    // The reason is checked against every user of the list before the first is deleted, so the list is read twice.
    await using spool = source.rereadable || terms.reason === undefined ? undefined : await spooled(source)
    await deleteRows(session, deletion, spool ?? source, options)
  })
}

const AGAIN =
  'Interrupted. Run the same command again to go on where it stopped (with another --report, where one was given).'

const deleteRows = async (
  session: Session,
  deletion: BulkDeletion,
  source: IdSource,
  { yes, reportFile }: DeleteListOptions,
): Promise<void> => {
  const found = source.rereadable ? await countIds(source) : undefined
  if (deletion.reason !== undefined)
    await requireDiscreetReason(session, deletion, deletion.reason, source.rows(), found?.rows)
  if (!yes && found !== undefined) await ask(session, deletion, found)
  const report = await openReport(reportFile)
  const rows = found === undefined ? source.rows() : noMoreThan(found.users, source.rows())
  const run = new BulkRun(session.io.signal, progressOf(session, { doing: 'Deleting', total: found?.rows }))
  const tally = new DeletionTally()
  try {
    for await (const row of run.each(rows, (row) => deleteRow(deletion, row))) {
      tally.add(row)
      if (session.json) await session.printJson(deletionRowRepresentation(row))
      await run.attempt(async () => await report?.add(row))
    }
  } finally {
    await run.attempt(async () => await report?.finish())
  }
  await printReport(session, tally, { dryRun: false, interrupted: run.interrupted, showRefused: true })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted(AGAIN)
  if (tally.refused > 0) session.exitCode = ExitCode.refused
}

/** @throws {CliError} the answer is no, or not the number of users */
const ask = async (session: Session, deletion: BulkDeletion, { users, first }: IdCount): Promise<void> => {
  if (first === undefined) return
  const { plan, subscriptions } = deletion
  if (users > 1) {
    const fate = subscriptions === 'erase' ? 'are erased, too' : 'stay'
    if (plan !== undefined) await session.note(`This plan was made by ${plan.createdBy} at ${plan.createdAt}.`)
    await session.note(
      `${counted(users, 'user')} will be deleted permanently. Subscriptions of their addresses ${fate}.`,
    )
    return await agreeToNumber(session, users, `Type ${users} to delete them:`)
  }
  try {
    await askForOne(session, deletion.useCases, deletion.caller, first, deletion)
  } catch (error) {
    // In a list, a user who was deleted before counts as done.
    if (!(error instanceof UserDeleted)) throw error
  }
}

/**
 * Checks the reason against every user of the list before one is deleted: it is stored in the audit record of each, and
 * there it must not say who another one was.
 * @throws {InvalidInput} it is too long, or says who one of them is
 */
const requireDiscreetReason = async (
  session: Session,
  { useCases, caller }: BulkDeletion,
  reason: string,
  rows: AsyncIterable<IdRow>,
  total: number | undefined,
): Promise<void> => {
  const problemWith = async ({ id: userId }: IdRow): Promise<{ userId: string; refusal?: unknown }> => {
    if (userId === '') return { userId }
    try {
      await useCases.planUserDeletion.execute({ userId, reason }, caller)
      return { userId }
    } catch (refusal) {
      if (refusesOneRow(refusal)) return { userId, refusal }
      throw refusal
    }
  }
  const run = new BulkRun(session.io.signal, progressOf(session, { doing: 'Checking the reason', total }))
  for await (const { userId, refusal } of run.each(rows, problemWith))
    if (refusal instanceof InvalidInput) throw aboutUser(userId, refusal)
  run.rethrowTrouble()
  if (run.interrupted) session.throwIfInterrupted()
}

const aboutUser = (userId: string, { details }: InvalidInput): InvalidInput =>
  new InvalidInput(
    details.map(({ field, message }) => ({ field, message: `${message} No user was deleted: it is about ${userId}.` })),
  )
