import type { UnitOfWork } from '../unit-of-work.ts'
import type { AuditEntry } from './audit-store.ts'

const BATCH = 200

/** Appends what was gathered, and takes it out of `entries`: after a failure they are those that are still to be written. */
export const appendInBatches = async (unitOfWork: UnitOfWork, entries: AuditEntry[]): Promise<void> => {
  while (entries.length > 0) {
    const batch = entries.slice(0, BATCH)
    await unitOfWork.run(async ({ audit }) => {
      for (const entry of batch) await audit.append(entry)
    })
    entries.splice(0, BATCH)
  }
}
