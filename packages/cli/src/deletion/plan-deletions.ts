import { randomUUID } from 'node:crypto'
import { InvalidInput } from '@rollcall/core'
import { ExitCode, interrupted } from '../cli-error.ts'
import { requireAbsent } from '../new-file.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import { type BulkDeletion, bulkDeletion, DeletionPlanner } from './bulk-deletion.ts'
import { BulkRun } from './bulk-run.ts'
import { beginPlan, type DeletionPlan, type PlanWriter, stateOf } from './deletion-plan.ts'
import { DeletionTally, DryRunPrinter, printReport } from './deletion-report.ts'
import { type DeletionRow, type DeletionTerms, openReport, requireNewReport } from './deletion-row.ts'
import type { IdSource } from './id-source.ts'

interface PlanOptions {
  /** One id that was named by hand: it is answered for itself, not in a report. */
  readonly single: boolean
  /** Where to write what is found, as a plan. */
  readonly planFile: string | undefined
  /** Where to write what would become of every row. */
  readonly reportFile: string | undefined
}

/** Says what a deletion would do, and what it would refuse; writes it to a plan, if wanted. Changes nothing. */
export const planDeletions = async (
  session: Session,
  source: IdSource,
  terms: DeletionTerms,
  options: PlanOptions,
): Promise<void> => {
  const { single, planFile, reportFile } = options
  await session.requireForeign(reportFile, planFile)
  await requireNewReport(reportFile)
  if (planFile !== undefined) await requireAbsent(planFile)
  await session.withUseCases(async (useCases, operator) => {
    const deletion = bulkDeletion(terms, useCases, operator)
    const writer = planFile === undefined ? undefined : await beginPlan(planFile, planOf(deletion))
    try {
      const { tally, problem } = await foresee(session, source, deletion, options, writer)
      // A reason that identifies a user would refuse the whole plan.
      if (problem !== undefined) throw new InvalidInput([{ field: 'reason', message: problem }])
      await writer?.finish()
      if (tally.refused > 0 || (single && tally.counts.already_deleted > 0)) session.exitCode = ExitCode.refused
    } catch (error) {
      await writer?.discard()
      throw error
    }
    if (writer === undefined || session.json) return
    const planned = counted(writer.deletions(), 'deletion')
    await session.note(`Planned ${planned}. Do it with \`rollcall user delete --apply ${planFile}\`.`)
  })
}

const planOf = ({ caller, reason, subscriptions }: BulkDeletion): DeletionPlan => {
  const [id, createdAt] = [`plan-${randomUUID()}`, new Date().toISOString()]
  return { id, createdAt, createdBy: caller.id, reason, subscriptions }
}

const foresee = async (
  session: Session,
  source: IdSource,
  deletion: BulkDeletion,
  { single, reportFile }: PlanOptions,
  writer: PlanWriter | undefined,
) => {
  const report = await openReport(reportFile)
  // With --json the rows themselves show as much, where a bar would be.
  const progress =
    session.json && session.stdout.width !== undefined
      ? undefined
      : progressOf(session, { doing: 'Planning', total: undefined })
  const run = new BulkRun(session.io.signal, progress)
  const tally = new DeletionTally()
  const printer = new DryRunPrinter(session)
  const planner = new DeletionPlanner(deletion)
  let problem: string | undefined
  try {
    for await (const attempt of run.each(source.rows(), (row) => planner.attempt(row))) {
      const row = await planner.settled(attempt)
      tally.add(row)
      if (row.error?.name === 'InvalidInput') problem ??= row.error.message
      await printer.add(row)
      await run.attempt(async () => await report?.add(row))
      await writeToPlan(row, writer)
      if (session.stdout.closed && writer === undefined && reportFile === undefined) break
    }
  } finally {
    await run.attempt(async () => await report?.finish())
  }
  await printer.end()
  const showRefused = printer.unshown > 0
  if (!single) await printReport(session, tally, { dryRun: true, interrupted: run.interrupted, showRefused })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted(`Interrupted.${writer === undefined ? '' : ' No plan was written.'}`)
  return { tally, problem }
}

const writeToPlan = async (
  { id, outcome, user, subscriptions, error }: DeletionRow,
  writer: PlanWriter | undefined,
) => {
  if (writer === undefined || outcome === 'blank' || outcome === 'repeated') return
  if (outcome === 'already_deleted') return await writer.add({ id, refusal: 'UserDeleted' })
  if (user === undefined || subscriptions === undefined || error !== undefined)
    return await writer.add({ id, refusal: error?.name ?? outcome })
  const { erased, kept } = subscriptions
  await writer.add({ id, state: stateOf(user), subscriptions: erased + kept })
}
