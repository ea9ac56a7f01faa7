import type { Instant } from '../instant.ts'

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
