import type { Instant } from '../instant.ts'

/** Which solutions were used, so that each counts once on all instances. */
export interface SpentChallengeStore {
  /** False if it was spent before. */
  spend(id: string, expiresAt: Instant): Promise<boolean>
  /** Forgets up to `limit` whose `expiresAt` is before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}
