import { DAY } from '../instant.ts'
import { UseCase } from '../use-case.ts'

export interface PruneTokensReport {
  readonly pruned: number
  /** There may be more: call again. */
  readonly more: boolean
}

const BATCH = 500
/** So long a token that has expired is still listed. */
const LISTED_AFTER_EXPIRY = 30 * DAY

/** Removes what is known of tokens that expired long ago, and of revocations that have ended. */
export class PruneTokensUseCase extends UseCase<'clock' | 'unitOfWork'> {
  /** One bounded batch. */
  async execute(): Promise<PruneTokensReport> {
    const now = this.ports.clock.now()
    const [tokens, revocations] = await this.ports.unitOfWork.run(async ({ accessTokens }) => [
      await accessTokens.prune(now - LISTED_AFTER_EXPIRY, BATCH),
      await accessTokens.pruneRevocations(now, BATCH),
    ])
    return { pruned: tokens + revocations, more: tokens === BATCH || revocations === BATCH }
  }
}
