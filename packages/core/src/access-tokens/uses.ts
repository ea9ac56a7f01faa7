import { DAY, HOUR, type Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Stores, UnitOfWork } from '../unit-of-work.ts'
import type { UserId } from '../users/user.ts'

/** More are not remembered: then some are written once more within their time. */
const MOST_REMEMBERED = 10_000
/** Written in one unit of work. */
const BATCH = 500

/** Gathers when own tokens were used and users were seen, so that no request waits for it, and writes it on `flush`. */
export class Uses {
  readonly #tokens: Gathered
  readonly #users: Gathered

  constructor(clock: Clock, unitOfWork: UnitOfWork) {
    this.#tokens = new Gathered(clock, unitOfWork, {
      unit: HOUR,
      write: ({ accessTokens }, tokenId, hour) => accessTokens.noteUse(tokenId, hour),
    })
    this.#users = new Gathered(clock, unitOfWork, {
      unit: DAY,
      write: ({ users }, id, day) => users.noteSeen(id as UserId, day),
    })
  }

  noteToken(tokenId: string): void {
    this.#tokens.note(tokenId)
  }

  noteUser(id: string): void {
    this.#users.note(id)
  }

  /** A unit of work only if there is something. What fails is gathered again. */
  async flush(): Promise<void> {
    await this.#tokens.flush()
    await this.#users.flush()
  }
}

interface Gathering {
  /** What times are rounded down to. */
  readonly unit: number
  readonly write: (stores: Stores, key: string, at: Instant) => Promise<void>
}

/** The last time of each key, written at most once in its unit of time. */
class Gathered {
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #gathering: Gathering
  readonly #noted = new Map<string, Instant>()
  readonly #gathered = new Map<string, Instant>()

  constructor(clock: Clock, unitOfWork: UnitOfWork, gathering: Gathering) {
    this.#clock = clock
    this.#unitOfWork = unitOfWork
    this.#gathering = gathering
  }

  note(key: string): void {
    const now = this.#clock.now()
    const at = now - (now % this.#gathering.unit)
    if (this.#noted.get(key) === at) return
    if (this.#noted.size >= MOST_REMEMBERED) this.#noted.clear()
    if (this.#gathered.size >= MOST_REMEMBERED) return
    this.#noted.set(key, at)
    this.#gathered.set(key, at)
  }

  async flush(): Promise<void> {
    while (this.#gathered.size > 0) {
      // In one order for all processes, which may lock the same rows.
      const batch = [...this.#gathered].slice(0, BATCH).sort(([one], [other]) => (one < other ? -1 : 1))
      for (const [key] of batch) this.#gathered.delete(key)
      try {
        await this.#unitOfWork.run(async (stores) => {
          for (const [key, at] of batch) await this.#gathering.write(stores, key, at)
        })
      } catch (error) {
        for (const [key, at] of batch) if (!this.#gathered.has(key)) this.#gathered.set(key, at)
        throw error
      }
    }
  }
}
