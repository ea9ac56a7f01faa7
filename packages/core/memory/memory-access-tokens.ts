import {
  type AccessTokenIssuer,
  type AccessTokenVerifier,
  type Clock,
  type Instant,
  type IssuedToken,
  type KeySuccession,
  type NewSigningKey,
  type SigningKeyRing,
  type TokenRequest,
  Unauthenticated,
  type VerifiedToken,
} from '../src/index.ts'

interface Issued extends VerifiedToken {
  readonly expiresAt: Instant
  readonly keyId: string
}

/** Tokens that only the one who issued them can verify, for as long as it lives. */
export class MemoryAccessTokens implements AccessTokenIssuer, AccessTokenVerifier, SigningKeyRing {
  readonly #clock: Clock
  readonly #issued = new Map<string, Issued>()
  #keys = 1
  #signing = 'key-1'
  /** Until when the tokens of a key verify. */
  #verifying = new Map([[this.#signing, Number.POSITIVE_INFINITY]])

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async issue({ subject, roles, feeds, lifetime, after = 0 }: TokenRequest): Promise<IssuedToken> {
    const tokenId = `token-${this.#issued.size + 1}`
    const token = `memory.${tokenId}`
    const expiresAt = this.#clock.now() + lifetime * 1000
    const issuedAt = Math.max(this.#clock.now(), after + 1)
    this.#issued.set(token, { subject, roles, feeds, tokenId, issuedAt, expiresAt, keyId: this.#signing })
    return { token, tokenId }
  }

  async verify(token: string): Promise<VerifiedToken> {
    const found = this.#issued.get(token)
    const goodUntil = Math.min(found?.expiresAt ?? 0, this.#verifying.get(found?.keyId ?? '') ?? 0)
    if (!found || goodUntil <= this.#clock.now())
      throw new Unauthenticated('The access token is not valid, or no longer. Get a new one.', { tokenRefused: true })
    const { subject, roles, feeds, tokenId, issuedAt } = found
    return { subject, roles, feeds, tokenId, issuedAt, own: true }
  }

  async makeKey(): Promise<NewSigningKey> {
    const keyId = `key-${++this.#keys}`
    return { keyId, takeOver: async (succession) => this.#takeOver(keyId, succession) }
  }

  #takeOver(keyId: string, { revoke, verifyUntil }: KeySuccession): void {
    const before = revoke ? [] : [...this.#verifying]
    const retired = before.map(([id, until]) => [id, Math.min(until, verifyUntil)] as const)
    this.#verifying = new Map([...retired, [keyId, Number.POSITIVE_INFINITY]])
    this.#signing = keyId
  }
}
