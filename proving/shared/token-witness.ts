import type { Fixture } from './fixture.ts'

/** Access tokens that a command has printed, or whose revocation was answered: the first open, the others do not, for ever. */
export class TokenWitness {
  readonly #fixture: Fixture
  #valid: string | undefined
  readonly #revoked: string[] = []

  constructor(fixture: Fixture) {
    this.#fixture = fixture
  }

  /** Asks with all of them; then revokes the good one and has another issued. */
  async look(): Promise<void> {
    const { ledger, client } = this.#fixture
    if (this.#valid !== undefined) {
      if ((await this.#statusOf(this.#valid)) !== 200) ledger.report('I1', 'a token that was printed is refused')
      await client.demand(`DELETE /tokens/${jtiOf(this.#valid)}`, undefined, [204])
      this.#revoked.push(this.#valid)
    }
    for (const token of this.#revoked)
      if ((await this.#statusOf(token)) !== 401) ledger.report('I1', 'a token that was revoked is accepted')
    this.#valid = (await this.#fixture.token('witness', 'auditor')) || undefined
  }

  async #statusOf(token: string): Promise<number> {
    return (await this.#fixture.target.ask('GET /users?limit=1', { token })).status
  }
}

/** The id by which a token is revoked. */
export const jtiOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).jti
