import type { Caller } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { ExitCode } from '../exit-code.ts'
import type { Session } from '../session.ts'
import { BulkRun } from './bulk-run.ts'
import { type DeletionOrder, singleId } from './deletion-order.ts'
import { DeletionPlanner } from './deletion-planner.ts'
import { printReport } from './deletion-report.ts'
import { DeletionTally } from './deletion-tally.ts'
import { DryRunPrinter } from './dry-run-printer.ts'
import type { IdSource } from './id-source.ts'

/** Says what a deletion would do, and what it would refuse. Changes nothing. */
export const planDeletions = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
): Promise<void> => {
  const run = new BulkRun(session.io.signal)
  const tally = new DeletionTally()
  const printer = new DryRunPrinter(session)
  const planner = new DeletionPlanner(useCases, caller, order)
  for await (const attempt of run.each(source.rows(), (row) => planner.attempt(row))) {
    const row = await planner.settled(attempt)
    tally.add(row)
    await printer.print(row)
    if (session.stdout.closed) return
  }
  await printer.end()
  const single = singleId(order) !== undefined
  if (!single) await printReport(session, tally, { dryRun: true, interrupted: run.interrupted })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted('Interrupted.')
  if (tally.refused > 0 || (single && tally.counts.already_deleted > 0)) session.exitCode = ExitCode.refused
}
