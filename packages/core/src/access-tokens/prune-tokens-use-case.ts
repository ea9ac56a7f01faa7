import { DAY } from '../instant.ts'
import { type BatchReport, UseCase } from '../use-case.ts'

const BATCH = 500
/** So long a token that has expired is still listed. */
const LISTED_AFTER_EXPIRY = 30 * DAY

/** Removes what is known of tokens that expired long ago, and of revocations that have ended. */
export class PruneTokensUseCase extends UseCase<'clock' | 'unitOfWork'> {
  async execute(): Promise<BatchReport> {
    const now = this.ports.clock.now()
    const [tokens, revocations] = await this.ports.unitOfWork.run(async ({ accessTokens }) => [
      await accessTokens.prune(now - LISTED_AFTER_EXPIRY, BATCH),
      await accessTokens.pruneRevocations(now, BATCH),
    ])
    return { count: tokens + revocations, more: tokens === BATCH || revocations === BATCH }
  }
}
