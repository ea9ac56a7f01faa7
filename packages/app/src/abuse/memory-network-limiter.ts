import type { NetworkLimiter } from '@rollcall/http-koa'
import { ADDRESS_WINDOW, type AddressMarks, MOST_ADDRESSES } from './address-marks.ts'

/** How many addresses of all networks are remembered, some 25 MB of them. */
const MOST_REMEMBERED = 200_000

interface Network {
  readonly marks: Set<string>
  readonly endsAt: number
}

/** Counts in the memory of this process; beyond a limit, the networks that began longest ago are forgotten. */
export class MemoryNetworkLimiter implements NetworkLimiter {
  readonly quota = MOST_ADDRESSES
  readonly window = ADDRESS_WINDOW
  readonly #markOf: AddressMarks
  readonly #mostRemembered: number
  readonly #now: () => number
  /** The one that began longest ago comes first. */
  readonly #networks = new Map<string, Network>()
  #remembered = 0

  /** `now` never goes back. */
  constructor(markOf: AddressMarks, mostRemembered = MOST_REMEMBERED, now = () => performance.now()) {
    this.#markOf = markOf
    this.#mostRemembered = mostRemembered
    this.#now = now
  }

  /** Those that are remembered. */
  networks(): readonly string[] {
    return [...this.#networks.keys()]
  }

  refusedFor(network: string): number {
    const known = this.#networks.get(network)
    return known === undefined || known.marks.size < MOST_ADDRESSES ? 0 : Math.max(0, known.endsAt - this.#now())
  }

  async count(network: string, email: string): Promise<number> {
    const refusedFor = this.refusedFor(network)
    const mark = refusedFor > 0 ? undefined : this.#markOf(network, email)
    if (mark === undefined) return refusedFor
    const { marks } = this.#current(network)
    if (!marks.has(mark)) {
      marks.add(mark)
      this.#remembered++
      this.#makeRoom()
    }
    return 0
  }

  #current(network: string): Network {
    const known = this.#networks.get(network)
    if (known !== undefined && known.endsAt > this.#now()) return known
    if (known !== undefined) this.#forget(network, known)
    const begun = { marks: new Set<string>(), endsAt: this.#now() + ADDRESS_WINDOW }
    this.#networks.set(network, begun)
    return begun
  }

  #makeRoom(): void {
    for (const [network, known] of this.#networks) {
      if (this.#remembered <= this.#mostRemembered) return
      this.#forget(network, known)
    }
  }

  #forget(network: string, { marks }: Network): void {
    this.#networks.delete(network)
    this.#remembered -= marks.size
  }
}
