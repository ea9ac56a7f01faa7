import type { UnitOfWork } from '../unit-of-work.ts'
import type { AuditEntry } from './audit-store.ts'

/** An entry that stands for similar ones: counts them, and drops what they do not have in common. */
export type Tally = { -readonly [Key in keyof AuditEntry]: AuditEntry[Key] }

/** Whose entries are one if there are too many callers. Not a caller's id: ids have no spaces. */
export const OTHERS = 'many others'

/** The first of the two, which stands for both from now on. */
export const merged = (first: Tally, other: Tally): Tally => {
  first.count += other.count
  for (const key of ['target', 'tokenId', 'requestId'] as const) if (first[key] !== other[key]) first[key] = undefined
  return first
}

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
