import { InvalidInput } from '../errors.ts'
import type { Instant } from '../instant.ts'
import type { FunnelMetrics } from './funnel-metrics.ts'

/** A solved challenge: good once, until it expires. */
export interface SolvedChallenge {
  /** Identifies the challenge; contains nothing about the client. */
  readonly id: string
  readonly expiresAt: Instant
}

/** Makes clients work before their request is accepted. Stateless: any instance checks what another one made. */
export interface ChallengeAuthority {
  /** A new challenge, as the client's software takes it: JSON. */
  create(): Promise<object>
  /** Undefined for anything but the solution of a genuine challenge that has not expired. Never throws. */
  verify(solution: string): Promise<SolvedChallenge | undefined>
}

/** Which solutions were used, so that each counts once on all instances. */
export interface SpentChallengeStore {
  /** False if it was spent before. */
  spend(id: string, expiresAt: Instant): Promise<boolean>
  /** Forgets up to `limit` whose `expiresAt` is before `before`; says how many it forgot. */
  prune(before: Instant, limit: number): Promise<number>
}

/** Lets only clients through that have done the work; open if no challenge is required. */
export class ChallengeGate {
  readonly #authority: ChallengeAuthority | undefined
  readonly #metrics: FunnelMetrics

  constructor(authority: ChallengeAuthority | undefined, metrics: FunnelMetrics) {
    this.#authority = authority
    this.#metrics = metrics
  }

  /** @throws {InvalidInput} the solution is missing, wrong, or too old */
  async verify(solution: string | undefined): Promise<SolvedChallenge | undefined> {
    if (this.#authority === undefined) return undefined
    const solved = solution ? await this.#authority.verify(solution) : undefined
    if (solved === undefined) throw this.#refusal('Solve a new challenge (GET /challenge) and send its solution.')
    return solved
  }

  /** To be thrown if the solution was used before. It is used by what it pays for: if that fails, it is still good. */
  spentBefore(): InvalidInput {
    return this.#refusal('This solution was used before. Solve a new challenge (GET /challenge).')
  }

  #refusal(message: string): InvalidInput {
    this.#metrics.turnedAway('challenge')
    return new InvalidInput([{ field: 'altcha', message }])
  }
}
