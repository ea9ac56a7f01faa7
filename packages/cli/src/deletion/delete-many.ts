import type { Caller } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { ExitCode } from '../exit-code.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { askForMany, askForOneOfList } from './ask-before-deleting.ts'
import { BulkRun } from './bulk-run.ts'
import { deleteRow } from './delete-row.ts'
import type { DeletionOrder } from './deletion-order.ts'
import { printReport } from './deletion-report.ts'
import { deletionRowRepresentation } from './deletion-row.ts'
import { DeletionTally } from './deletion-tally.ts'
import { countIds, type IdCount, noMoreThan } from './id-count.ts'
import type { IdSource } from './id-source.ts'
import { requireDiscreetReason } from './require-discreet-reason.ts'
import { RowReport } from './row-report.ts'

/** Deletes every user of a list, goes on past the refused ones, and ends with a report. */
export const deleteMany = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
): Promise<void> => {
  const counted = source.rereadable ? await countIds(source) : undefined
  if (order.reason !== undefined) {
    const { reason } = order
    await requireDiscreetReason(session, useCases, caller, { rows: source.rows(), reason, total: counted?.rows })
  }
  if (!order.yes && counted !== undefined) await ask(session, useCases, caller, counted, order)
  const report = await RowReport.open(order.reportFile)
  const rows = counted === undefined ? source.rows() : noMoreThan(counted.users, source.rows())
  const run = new BulkRun(session.io.signal)
  const tally = new DeletionTally()
  const progress = progressOf(session, { doing: 'Deleting', total: counted?.rows })
  try {
    for await (const row of run.each(rows, (row) => deleteRow(useCases, caller, row, order))) {
      tally.add(row)
      progress?.advance()
      if (session.json) await session.printJson(deletionRowRepresentation(row))
      await report.add(row, run)
    }
  } finally {
    progress?.stop()
    await report.finish(run)
  }
  await printReport(session, tally, { dryRun: false, interrupted: run.interrupted, showRefused: true })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted(AGAIN)
  if (tally.refused > 0) session.exitCode = ExitCode.refused
}

const AGAIN =
  'Interrupted. Run the same command again to go on where it stopped (with another --report, where one was given).'

const ask = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  { users, first }: IdCount,
  order: DeletionOrder,
): Promise<void> => {
  if (users > 1) await askForMany(session, users, order)
  else if (first !== undefined) await askForOneOfList(session, useCases, caller, first, order)
}
