import { HOUR, type Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { UnitOfWork } from '../unit-of-work.ts'

/** More are not remembered: then some are written once more within the hour. */
const MOST_REMEMBERED = 10_000
/** Written in one unit of work. */
const BATCH = 500

/** Gathers when own tokens were used, so that no request waits for it, and writes the hour on `flush`. */
export class TokenUses {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #noted = new Map<string, Instant>()
  readonly #gathered = new Map<string, Instant>()

  constructor(clock: Clock, unitOfWork: UnitOfWork) {
    this.#clock = clock
    this.#unitOfWork = unitOfWork
  }

  note(tokenId: string): void {
    const now = this.#clock.now()
    const hour = now - (now % HOUR)
    if (this.#noted.get(tokenId) === hour) return
    if (this.#noted.size >= MOST_REMEMBERED) this.#noted.clear()
    if (this.#gathered.size >= MOST_REMEMBERED) return
    this.#noted.set(tokenId, hour)
    this.#gathered.set(tokenId, hour)
  }

  /** Writes what was gathered; a unit of work only where there is something. What fails is gathered again. */
  async flush(): Promise<void> {
    while (this.#gathered.size > 0) {
      const batch = [...this.#gathered].slice(0, BATCH)
      for (const [tokenId] of batch) this.#gathered.delete(tokenId)
      try {
        await this.#unitOfWork.run(async ({ accessTokens }) => {
          for (const [tokenId, hour] of batch) await accessTokens.noteUse(tokenId, hour)
        })
      } catch (error) {
        for (const [tokenId, hour] of batch) if (!this.#gathered.has(tokenId)) this.#gathered.set(tokenId, hour)
        throw error
      }
    }
  }
}
