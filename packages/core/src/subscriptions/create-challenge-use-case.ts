import type { ChallengeAuthority } from '../ports/challenge-authority.ts'

/** Hands out the work that has to be done before a form is taken. */
export class CreateChallengeUseCase {
  readonly #authority: ChallengeAuthority | undefined

  constructor(authority: ChallengeAuthority | undefined) {
    this.#authority = authority
  }

  /** Whether any work is asked for. */
  get required(): boolean {
    return this.#authority !== undefined
  }

  /** A new challenge, as the client's software takes it: JSON. Undefined where no work is asked for. */
  async execute(): Promise<object | undefined> {
    return await this.#authority?.create()
  }
}
