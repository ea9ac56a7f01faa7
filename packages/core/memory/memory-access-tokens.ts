import type {
  AccessTokenIssuer,
  AccessTokenVerifier,
  Clock,
  IssuedToken,
  TokenRequest,
  VerifiedToken,
} from '../src/index.ts'
import { Unauthenticated } from '../src/index.ts'

/** Tokens that only the one who issued them can verify, for as long as it lives. */
export class MemoryAccessTokens implements AccessTokenIssuer, AccessTokenVerifier {
  readonly #clock: Clock
  readonly #issued = new Map<string, VerifiedToken & { readonly expiresAt: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async issue({ subject, roles, lifetime }: TokenRequest): Promise<IssuedToken> {
    const tokenId = `token-${this.#issued.size + 1}`
    const token = `memory.${tokenId}`
    this.#issued.set(token, { subject, roles, tokenId, expiresAt: this.#clock.now() + lifetime * 1000 })
    return { token, tokenId }
  }

  async verify(token: string): Promise<VerifiedToken> {
    const found = this.#issued.get(token)
    if (!found || found.expiresAt <= this.#clock.now())
      throw new Unauthenticated('The access token is not valid, or no longer. Get a new one.', { tokenRefused: true })
    return { subject: found.subject, roles: found.roles, tokenId: found.tokenId }
  }
}
