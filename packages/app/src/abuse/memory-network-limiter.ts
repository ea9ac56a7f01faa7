import type { NetworkLimiter } from '@rollcall/http-koa/host'
import { ADDRESS_WINDOW, type AddressMarks } from './address-marks.ts'

/** How many addresses of all networks are remembered, at most 40 MB of them. */
const MOST_REMEMBERED = 100_000

interface Network {
  readonly name: string
  readonly marks: Set<string>
  readonly endsAt: number
  /** The one that began next. A list of its own: a map takes the longer to find its first key the more were deleted. */
  next?: Network
}

/** Counts in the memory of this process. Networks are forgotten after their hour; beyond a limit, the oldest before. */
export class MemoryNetworkLimiter implements NetworkLimiter {
  readonly quota: number
  readonly window = ADDRESS_WINDOW
  readonly #markOf: AddressMarks
  readonly #mostRemembered: number
  readonly #now: () => number
  readonly #networks = new Map<string, Network>()
  #oldest: Network | undefined
  #newest: Network | undefined
  #remembered = 0

  /** `now` never goes back. */
  constructor(quota: number, markOf: AddressMarks, mostRemembered = MOST_REMEMBERED, now = () => performance.now()) {
    this.quota = quota
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
    return known === undefined || known.marks.size < this.quota ? 0 : Math.max(0, known.endsAt - this.#now())
  }

  async count(network: string, email: string): Promise<number> {
    const refusedFor = this.refusedFor(network)
    const mark = refusedFor > 0 ? undefined : this.#markOf(network, email)
    if (mark === undefined) return refusedFor
    const { marks } = this.#current(network)
    if (!marks.has(mark)) {
      marks.add(mark)
      this.#remembered++
      this.#forgetOldest()
    }
    return 0
  }

  #current(name: string): Network {
    const known = this.#networks.get(name)
    if (known !== undefined && known.endsAt > this.#now()) return known
    if (known !== undefined) this.#forget(known)
    const begun = { name, marks: new Set<string>(), endsAt: this.#now() + ADDRESS_WINDOW }
    this.#networks.set(name, begun)
    if (this.#newest !== undefined) this.#newest.next = begun
    this.#newest = begun
    this.#oldest ??= begun
    return begun
  }

  #forgetOldest(): void {
    const now = this.#now()
    while (this.#oldest !== undefined && (this.#remembered > this.#mostRemembered || this.#oldest.endsAt <= now)) {
      this.#forget(this.#oldest)
      this.#oldest = this.#oldest.next
    }
  }

  /** Does nothing to one that has begun again since. */
  #forget(network: Network): void {
    if (this.#networks.get(network.name) !== network) return
    this.#networks.delete(network.name)
    this.#remembered -= network.marks.size
  }
}
