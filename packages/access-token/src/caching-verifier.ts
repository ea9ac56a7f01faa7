import type { AccessTokenVerifier, Clock, Instant, VerifiedToken } from '@rollcall/core'
import { LRUCache } from 'lru-cache'
import { checkToken, type KeySource, refused, type VerificationRules } from './check-token.ts'
import { examineToken, type TokenExamination } from './examine-token.ts'

/** Longer ones are not even read. Characters: in a token that could be good, each is one byte. */
const LONGEST_TOKEN = 8 * 1024

const NOTHING_READ = {
  notChecked: undefined,
  claims: {},
  subject: undefined,
  roles: [],
  feeds: undefined,
  tokenId: undefined,
  expiresAt: undefined,
}

/** Verifies by the keys of one source under one set of rules, each good token once. */
export class CachingVerifier implements AccessTokenVerifier {
  readonly #keys: KeySource
  readonly #rules: VerificationRules
  readonly #clock: Clock
  readonly #good = new VerifiedTokenCache()

  constructor(keys: KeySource, rules: VerificationRules, clock: Clock) {
    this.#keys = keys
    this.#rules = rules
    this.#clock = clock
  }

  // Not an async function: most calls are hits, and every promise on the way would cost more than the hit.
  verify(token: string): Promise<VerifiedToken> {
    if (token.length > LONGEST_TOKEN) return Promise.reject(refused('tooLong', 'length'))
    const { generation } = this.#keys
    return this.#good.find(token, generation, this.#clock.now()) ?? this.#verifyAnew(token, generation)
  }

  /** Everything that is wrong with a token, for the operator who holds it. */
  async examine(token: string): Promise<TokenExamination> {
    if (token.length > LONGEST_TOKEN) return { ...NOTHING_READ, failed: ['length'] }
    return await examineToken(token, this.#keys, this.#rules, this.#clock.now())
  }

  async #verifyAnew(token: string, generation: number): Promise<VerifiedToken> {
    const { verified, goodUntil } = await checkToken(token, this.#keys, this.#rules, this.#clock.now())
    this.#good.keep(token, verified, goodUntil, generation)
    return verified
  }
}

interface Entry {
  readonly answer: Promise<VerifiedToken>
  readonly generation: number
  readonly goodUntil: Instant
}

const MOST_ENTRIES = 5_000
const MOST_BYTES = 8 * 1024 * 1024
/** What an entry takes besides its token and what the token says. */
const ENTRY_BYTES = 512

/**
 * Tokens that were found good, by the whole token: until they are to be checked again, the keys change, or others are
 * used more. A hit costs one look-up and two comparisons, and gives the same settled promise every time.
 */
export class VerifiedTokenCache {
  readonly #entries = new LRUCache<string, Entry>({
    max: MOST_ENTRIES,
    maxSize: MOST_BYTES,
    sizeCalculation: (_entry, token) => 2 * token.length + ENTRY_BYTES,
  })

  get size(): number {
    return this.#entries.size
  }

  find(token: string, generation: number, now: Instant): Promise<VerifiedToken> | undefined {
    const entry = this.#entries.get(token)
    if (entry === undefined) return undefined
    if (entry.generation === generation && now < entry.goodUntil) return entry.answer
    this.#entries.delete(token)
    return undefined
  }

  keep(token: string, verified: VerifiedToken, goodUntil: Instant, generation: number): void {
    this.#entries.set(token, { answer: Promise.resolve(verified), goodUntil, generation })
  }
}
