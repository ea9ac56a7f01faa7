import type { ChallengeAuthority } from './challenge-gate.ts'

/** Hands out the work that has to be done before a form is taken. */
export class CreateChallengeUseCase {
  readonly #ports: { readonly authority: ChallengeAuthority | undefined }

  constructor(ports: { readonly authority: ChallengeAuthority | undefined }) {
    this.#ports = ports
  }

  /** Whether challenges are on. */
  get required(): boolean {
    return this.#ports.authority !== undefined
  }

  /** A new challenge, as JSON for the client's software. Undefined if challenges are off. */
  async execute(): Promise<object | undefined> {
    return await this.#ports.authority?.create()
  }
}
