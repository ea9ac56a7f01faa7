import type { ChallengeAuthority } from './challenge-authority.ts'

/** Hands out the work that has to be done before a form is taken. */
export class CreateChallengeUseCase {
  readonly #ports: { readonly authority: ChallengeAuthority | undefined }

  constructor(ports: { readonly authority: ChallengeAuthority | undefined }) {
    this.#ports = ports
  }

  /** Whether any work is asked for. */
  get required(): boolean {
    return this.#ports.authority !== undefined
  }

  /** A new challenge, as the client's software takes it: JSON. Undefined where no work is asked for. */
  async execute(): Promise<object | undefined> {
    return await this.#ports.authority?.create()
  }
}
