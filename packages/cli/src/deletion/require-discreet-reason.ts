import { type Caller, InvalidInput } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { progressOf } from '../progress.ts'
import type { Session } from '../session.ts'
import { BulkRun, refusesOneRow } from './bulk-run.ts'
import type { IdRow } from './id-source.ts'

/**
 * Holds the reason against everybody in the list before anybody is deleted: the trail of each would say who another was.
 * @throws {InvalidInput} it is too long, or says who one of them is
 */
export const requireDiscreetReason = async (
  session: Session,
  { planUserDeletion }: CliUseCases,
  caller: Caller,
  { rows, reason, total }: { rows: AsyncIterable<IdRow>; reason: string; total: number | undefined },
): Promise<void> => {
  const problemWith = async ({ id: userId }: IdRow): Promise<{ userId: string; refusal: unknown }> => {
    if (userId === '') return { userId, refusal: undefined }
    try {
      await planUserDeletion.execute({ userId, reason }, caller)
      return { userId, refusal: undefined }
    } catch (refusal) {
      if (refusesOneRow(refusal)) return { userId, refusal }
      throw refusal
    }
  }
  const run = new BulkRun(session.io.signal)
  const progress = progressOf(session, { doing: 'Checking the reason', total })
  try {
    for await (const { userId, refusal } of run.each(rows, problemWith)) {
      progress?.advance()
      if (refusal instanceof InvalidInput) throw tellingReason(userId, refusal)
    }
  } finally {
    progress?.stop()
  }
  run.rethrowTrouble()
  if (run.interrupted) session.heedInterruption()
}

const tellingReason = (userId: string, { details }: InvalidInput): InvalidInput =>
  new InvalidInput(
    details.map(({ field, message }) => ({ field, message: `${message} Nobody was deleted: it is about ${userId}.` })),
  )
