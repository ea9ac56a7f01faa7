import type { Caller } from '@rollcall/core'
import { interrupted, usageError } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { ExitCode } from '../exit-code.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { askForMany, askForOneOfList } from './ask-before-deleting.ts'
import { BulkRun, refusesOneRow } from './bulk-run.ts'
import type { DeletionOrder } from './deletion-order.ts'
import { printReport } from './deletion-report.ts'
import { type DeletionRow, deletionRowRepresentation, refusedRow } from './deletion-row.ts'
import { DeletionTally } from './deletion-tally.ts'
import type { IdRow, IdSource } from './id-source.ts'

/** Deletes every user of a list, goes on past the refused ones, and ends with a report. */
export const deleteMany = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  source: IdSource,
  order: DeletionOrder,
): Promise<void> => {
  const counted = source.rereadable ? await count(source) : undefined
  if (!order.yes && counted !== undefined) await ask(session, useCases, caller, counted, order)
  const rows = counted === undefined ? source.rows() : noMoreThan(counted.users, source.rows())
  const run = new BulkRun(session.io.signal)
  const tally = new DeletionTally()
  const progress = progressOf(session, { doing: 'Deleting', total: counted?.rows })
  try {
    for await (const row of run.each(rows, (row) => deleteRow(useCases, caller, row, order))) {
      tally.add(row)
      progress?.advance()
      if (session.json) await session.printJson(deletionRowRepresentation(row))
    }
  } finally {
    progress?.stop()
  }
  await printReport(session, tally, { dryRun: false, interrupted: run.interrupted })
  run.rethrowTrouble()
  if (run.interrupted) throw interrupted('Interrupted. Run the same command again to go on where it stopped.')
  if (tally.refused > 0) session.exitCode = ExitCode.refused
}

const deleteRow = async (
  { deleteUser }: CliUseCases,
  caller: Caller,
  row: IdRow,
  { reason, subscriptions }: DeletionOrder,
): Promise<DeletionRow> => {
  const { id: userId } = row
  if (userId === '') return { id: userId, outcome: 'blank' }
  try {
    const report = await deleteUser.execute({ userId, reason, subscriptions }, caller)
    const { subscriptionsErased: erased, subscriptionsKept: kept } = report
    return { id: userId, outcome: 'deleted', subscriptions: { erased, kept } }
  } catch (error) {
    if (refusesOneRow(error)) return refusedRow(row, error)
    throw error
  }
}

interface Count {
  readonly rows: number
  /** Different ids. */
  readonly users: number
  readonly first: string | undefined
}

const count = async (source: IdSource): Promise<Count> => {
  let [rows, users, first] = [0, 0, undefined as string | undefined]
  for await (const { id, repeated } of source.rows()) {
    rows++
    if (id === '' || repeated) continue
    users++
    first ??= id
  }
  return { rows, users, first }
}

const ask = async (
  session: Session,
  useCases: CliUseCases,
  caller: Caller,
  { users, first }: Count,
  order: DeletionOrder,
): Promise<void> => {
  if (users > 1) await askForMany(session, users, order)
  else if (first !== undefined) await askForOneOfList(session, useCases, caller, first, order)
}

/** The rows, for as long as they hold no more users than were counted, and agreed to. */
async function* noMoreThan(users: number, rows: AsyncIterable<IdRow>): AsyncGenerator<IdRow> {
  let left = users
  for await (const row of rows) {
    if (row.id !== '' && !row.repeated && --left < 0)
      throw usageError('The list has grown since it was counted. Run the command again for the rest.')
    yield row
  }
}
