import { DAY } from '../instant.ts'
import { UseCase } from '../use-case.ts'

export interface PruneTokensReport {
  readonly pruned: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 500
/** So many tokens are looked at in a round for users who were deleted. */
const STRETCH = 1_000
/** So long a token that has expired is still listed. */
const LISTED_AFTER_EXPIRY = 30 * DAY

/** Removes what is known of tokens that expired long ago or whose users were deleted, and of revocations that have ended. */
export class PruneTokensUseCase extends UseCase<'clock' | 'unitOfWork', 'accessTokens'> {
  /** Where the next stretch begins. */
  #after = 0

  /** One bounded batch. */
  async execute(): Promise<PruneTokensReport> {
    const now = this.ports.clock.now()
    const [tokens, revocations] = await this.ports.unitOfWork.run(async ({ accessTokens }) => [
      await accessTokens.prune(now - LISTED_AFTER_EXPIRY, BATCH),
      await accessTokens.pruneRevocations(now, BATCH),
    ])
    const ofDeleted = await this.#eraseOfDeleted()
    return { pruned: tokens + revocations + ofDeleted, more: tokens === BATCH || revocations === BATCH }
  }

  /** An instance of the release before knows of no list of tokens: users whom it deletes leave theirs. */
  async #eraseOfDeleted(): Promise<number> {
    const { items, next } = await this.ports.readers.accessTokens.deletedSubjects({
      after: this.#after,
      limit: STRETCH,
    })
    this.#after = next ?? 0
    if (items.length === 0) return 0
    return await this.ports.unitOfWork.run(async ({ accessTokens, tombstones }) => {
      let erased = 0
      for (const id of new Set(items)) {
        const tombstone = await tombstones.find(id)
        // Restored meanwhile.
        if (tombstone === undefined) continue
        const tokens = await accessTokens.eraseOf(id)
        const counts = { ...tombstone.erased, tokens: tombstone.erased.tokens + tokens }
        await tombstones.put(id, { ...tombstone, erased: counts })
        erased += tokens
      }
      return erased
    })
  }
}
