import { randomUUID } from 'node:crypto'
import { type Caller, InvalidInput } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { counted } from '../counted.ts'
import { ExitCode } from '../exit-code.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { BulkRun } from './bulk-run.ts'
import type { DeletionOrder } from './deletion-order.ts'
import { DeletionPlanner } from './deletion-planner.ts'
import { printReport } from './deletion-report.ts'
import type { DeletionRow } from './deletion-row.ts'
import { DeletionTally } from './deletion-tally.ts'
import { DryRunPrinter } from './dry-run-printer.ts'
import type { IdSource } from './id-source.ts'
import { PlanWriter } from './plan-writer.ts'
import { RowReport } from './row-report.ts'
import { stateOf } from './state-of.ts'

/** Says what a deletion would do, and what it would refuse; writes it down as a plan, if wanted. Changes nothing. */
export const planDeletions = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
): Promise<void> => {
  const writer = await beginPlan(order, caller)
  try {
    const { tally, problem } = await foresee(session, useCases, caller, source, order, writer)
    // A reason that says who somebody is would refuse everybody.
    if (problem !== undefined) throw new InvalidInput([{ field: 'reason', message: problem }])
    await writer?.finish()
    if (tally.refused > 0 || (order.single !== undefined && tally.counts.already_deleted > 0))
      session.exitCode = ExitCode.refused
  } catch (error) {
    await writer?.discard()
    throw error
  }
  if (writer !== undefined && !session.json)
    await session.note(
      `Planned ${counted(writer.deletions, 'deletion')}. Do it with \`rollcall user delete --apply ${order.planFile}\`.`,
    )
}

const beginPlan = async ({ planFile, reason, subscriptions }: DeletionOrder, { id: createdBy }: Caller) => {
  if (planFile === undefined) return undefined
  const plan = { id: `plan-${randomUUID()}`, createdAt: new Date().toISOString(), createdBy, reason, subscriptions }
  return await PlanWriter.begin(planFile, plan)
}

const foresee = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
  writer: PlanWriter | undefined,
) => {
  const report = await RowReport.open(order.reportFile)
  const run = new BulkRun(session.io.signal)
  const tally = new DeletionTally()
  const printer = new DryRunPrinter(session)
  const planner = new DeletionPlanner(useCases, caller, order)
  // The table of the first rows tells as much, and stands where a bar would.
  const progress =
    session.stdout.width === undefined ? progressOf(session, { doing: 'Planning', total: undefined }) : undefined
  let problem: string | undefined
  try {
    for await (const attempt of run.each(source.rows(), (row) => planner.attempt(row))) {
      const row = await planner.settled(attempt)
      tally.add(row)
      progress?.advance()
      if (row.error?.name === 'InvalidInput') problem ??= row.error.message
      await printer.print(row)
      await report.add(row, run)
      await writeDown(row, writer)
      if (session.stdout.closed && writer === undefined && order.reportFile === undefined) break
    }
  } finally {
    progress?.stop()
    await report.finish(run)
  }
  await printer.end()
  const { interrupted: isInterrupted } = run
  const showRefused = printer.unshown > 0
  if (order.single === undefined)
    await printReport(session, tally, { dryRun: true, interrupted: isInterrupted, showRefused })
  run.rethrowTrouble()
  if (isInterrupted) throw interrupted(`Interrupted.${writer === undefined ? '' : ' No plan was written.'}`)
  return { tally, problem }
}

const writeDown = async ({ id, outcome, user, subscriptions, error }: DeletionRow, writer: PlanWriter | undefined) => {
  if (writer === undefined || outcome === 'blank' || outcome === 'repeated') return
  if (outcome === 'already_deleted') return await writer.add({ id, refusal: 'UserDeleted' })
  if (user === undefined || subscriptions === undefined || error !== undefined)
    return await writer.add({ id, refusal: error?.name ?? outcome })
  const { erased, kept } = subscriptions
  await writer.add({ id, state: stateOf(user), subscriptions: erased + kept })
}
