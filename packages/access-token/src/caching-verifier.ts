import type { AccessTokenVerifier, Clock, VerifiedToken } from '@rollcall/core'
import { checkToken } from './check-token.ts'
import type { KeySource } from './key-source.ts'
import { refused } from './refusal.ts'
import type { VerificationRules } from './verification-rules.ts'
import { VerifiedTokenCache } from './verified-token-cache.ts'

interface Verification {
  readonly answer: Promise<VerifiedToken>
  readonly generation: number
}

/** Longer ones are not even read. Characters: in a token that could be good, each is one byte. */
const LONGEST_TOKEN = 8 * 1024

/** Verifies by the keys of one source under one set of rules, each good token once. */
export class CachingVerifier implements AccessTokenVerifier {
  readonly #keys: KeySource
  readonly #rules: VerificationRules
  readonly #clock: Clock
  readonly #good = new VerifiedTokenCache()
  readonly #underway = new Map<string, Verification>()

  constructor(keys: KeySource, rules: VerificationRules, clock: Clock) {
    this.#keys = keys
    this.#rules = rules
    this.#clock = clock
  }

  // Not an async function: most calls are hits, and every promise on the way would cost more than the hit.
  verify(token: string): Promise<VerifiedToken> {
    if (token.length > LONGEST_TOKEN) return Promise.reject(refused('tooLong'))
    const { generation } = this.#keys
    return this.#good.find(token, generation, this.#clock.now()) ?? this.#share(token, generation)
  }

  #share(token: string, generation: number): Promise<VerifiedToken> {
    const underway = this.#underway.get(token)
    if (underway?.generation === generation) return underway.answer
    const verification = { answer: this.#verifyAnew(token, generation), generation }
    this.#underway.set(token, verification)
    const done = (): void => {
      if (this.#underway.get(token) === verification) this.#underway.delete(token)
    }
    verification.answer.then(done, done)
    return verification.answer
  }

  async #verifyAnew(token: string, generation: number): Promise<VerifiedToken> {
    const { verified, goodUntil } = await checkToken(token, this.#keys, this.#rules, this.#clock.now())
    this.#good.keep(token, verified, goodUntil, generation)
    return verified
  }
}
