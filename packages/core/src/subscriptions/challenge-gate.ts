import { InvalidInput } from '../errors.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import type { ChallengeAuthority, SolvedChallenge } from './challenge-authority.ts'
import type { FunnelMetrics } from './funnel-metrics.ts'

/** Lets only clients through that have done the work; open where no challenge is required. */
export class ChallengeGate {
  readonly #authority: ChallengeAuthority | undefined
  readonly #metrics: FunnelMetrics

  constructor(authority: ChallengeAuthority | undefined, metrics: FunnelMetrics) {
    this.#authority = authority
    this.#metrics = metrics
  }

  /**
   * Before the unit of work: verifying takes time.
   * @throws {InvalidInput} the solution is missing, wrong, or too old
   */
  async verify(solution: string | undefined): Promise<SolvedChallenge | undefined> {
    if (this.#authority === undefined) return undefined
    const solved = solution ? await this.#authority.verify(solution) : undefined
    if (solved === undefined) throw this.#refusal('Solve a new challenge (GET /challenge) and send its solution.')
    return solved
  }

  /**
   * Within the unit of work that the solution pays for: if that fails, the solution is still good.
   * @throws {InvalidInput} it was used before
   */
  async spend({ spentChallenges }: Stores, solved: SolvedChallenge | undefined): Promise<void> {
    if (solved !== undefined && !(await spentChallenges.spend(solved.id, solved.expiresAt)))
      throw this.#refusal('This solution was used before. Solve a new challenge (GET /challenge).')
  }

  #refusal(message: string): InvalidInput {
    this.#metrics.turnedAway('challenge')
    return new InvalidInput([{ field: 'altcha', message }])
  }
}
