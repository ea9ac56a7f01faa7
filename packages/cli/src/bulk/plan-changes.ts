import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { shellWord } from '@rollcall/core'
import { ExitCode, interrupted, usageError } from '../cli-error.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { counted } from '../texts.ts'
import { requireAbsent } from '../whole-file.ts'
import { BulkAsker, type BulkOrder } from './bulk-order.ts'
import { BulkTally, DryRunPrinter, printReport } from './bulk-report.ts'
import { type BulkRow, openReport, refusalOf, requireNewReport } from './bulk-row.ts'
import { undoable } from './grace.ts'
import type { IdSource } from './id-source.ts'
import { beginPlan, type Plan, type PlanWriter } from './plan-file.ts'
import { RowBundles } from './row-bundles.ts'

interface PlanOptions {
  readonly allowEmpty: boolean
  /** One id that was named by hand: it is answered for itself, not in a report. */
  readonly single: boolean
  readonly planFile: string | undefined
  readonly reportFile: string | undefined
}

/** Says what changes would do, and what would be refused; writes it to a plan, if wanted. Changes nothing. */
export const planChanges = async (
  session: Session,
  source: IdSource,
  order: BulkOrder,
  options: PlanOptions,
): Promise<void> => {
  const { single, planFile, reportFile } = options
  const { kind } = order
  await session.requireForeign(reportFile, planFile)
  await requireNewReport(reportFile)
  if (planFile !== undefined) {
    await requireAbsent(planFile)
    if (reportFile !== undefined && resolve(reportFile) === resolve(planFile))
      throw usageError('Give --plan and --report files of different names.')
  }
  await session.withService(async (service, { who }) => {
    const asker = new BulkAsker(service, order, { dryRun: true })
    const writer = planFile === undefined ? undefined : await beginPlan(planFile, kind, planOf(order, who))
    try {
      const { tally, problem } = await foresee(session, source, { order, asker, writer }, options)
      // A reason that identifies a user would refuse the whole plan.
      if (problem !== undefined) throw refusalOf(problem)
      tally.requireRows(options)
      await writer?.finish()
      if (tally.refused > 0 || (single && tally.countOf('already_deleted') > 0)) session.exitCode = ExitCode.refused
    } catch (error) {
      await writer?.discard()
      throw error
    }
    if (writer === undefined || session.json) return
    const planned = counted(writer.changes(), kind.noun)
    await session.note(
      `Planned ${planned}. Do it with \`rollcall user ${kind.verb} --apply ${shellWord(planFile ?? '')}\`.`,
    )
  })
}

const planOf = ({ terms }: BulkOrder, createdBy: string): Plan => {
  const [id, createdAt] = [`plan-${randomUUID()}`, new Date().toISOString()]
  return { id, createdAt, createdBy, terms }
}

const foresee = async (
  session: Session,
  source: IdSource,
  { order, asker, writer }: { order: BulkOrder; asker: BulkAsker; writer: PlanWriter | undefined },
  { single, reportFile }: PlanOptions,
) => {
  const report = await openReport(reportFile)
  // With --json the rows themselves show as much, where a bar would be.
  const progress =
    session.json && session.stdout.width !== undefined
      ? undefined
      : progressOf(session, { doing: 'Planning', total: undefined })
  const run = new RowBundles(session.io.signal, progress)
  const tally = new BulkTally(order.kind)
  const printer = new DryRunPrinter(session, order.kind)
  let problem: BulkRow['error']
  try {
    for await (const row of run.each(source.rows(), (rows) => asker.ask(rows), 1)) {
      tally.add(row)
      if (row.error?.name === 'InvalidInput') problem ??= row.error
      await printer.add(row)
      await run.attempt(async () => await report?.add(row))
      await writeToPlan(order.kind, row, writer)
      if (session.stdout.closed && writer === undefined && reportFile === undefined) break
    }
  } finally {
    await run.attempt(async () => await report?.finish())
  }
  await printer.end()
  // What was not read to its end would be a report on another list.
  run.rethrowTrouble()
  const showRefused = printer.unshown > 0
  if (!single) await printReport(session, tally, { dryRun: true, interrupted: run.interrupted, showRefused })
  const deletes = order.kind.subscriptions && tally.countOf(order.kind.would[0]) > 0
  if (deletes && !session.json) await session.say(undoable(asker.grace))
  if (run.interrupted) throw interrupted(`Interrupted.${writer === undefined ? '' : ' No plan was written.'}`)
  return { tally, problem }
}

const writeToPlan = async (
  { would }: BulkOrder['kind'],
  { id, outcome, state, planned, error, isAddress }: BulkRow,
  writer: PlanWriter | undefined,
) => {
  // A plan holds ids, and no address.
  if (writer === undefined || outcome === 'blank' || outcome === 'repeated' || isAddress) return
  if (outcome === 'already_deleted') return await writer.add({ id, refusal: 'UserDeleted' })
  if (outcome !== would[0] || state === undefined) return await writer.add({ id, refusal: error?.name ?? outcome })
  await writer.add({ id, state, subscriptions: planned ?? 0 })
}
