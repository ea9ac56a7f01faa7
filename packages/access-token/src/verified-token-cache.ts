import type { Instant, VerifiedToken } from '@rollcall/core'
import { LRUCache } from 'lru-cache'

interface Entry {
  readonly answer: Promise<VerifiedToken>
  readonly goodUntil: Instant
  readonly generation: number
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
