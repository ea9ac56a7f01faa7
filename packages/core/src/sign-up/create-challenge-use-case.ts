import { UseCase } from '../use-case.ts'

/** Hands out the work that has to be done before a form is taken. */
export class CreateChallengeUseCase extends UseCase<'challengeAuthority'> {
  get required(): boolean {
    return this.ports.challengeAuthority !== undefined
  }

  /** A new challenge, as JSON for the client's software. Undefined if challenges are off. */
  async execute(): Promise<object | undefined> {
    return await this.ports.challengeAuthority?.create()
  }
}
