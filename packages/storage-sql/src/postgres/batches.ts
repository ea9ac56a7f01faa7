import { Unavailable } from '@rollcall/core'
import { whileMoreCome } from '../while-more-come.ts'

const MOST_WAITING = 20_000

interface BatchOptions<Given, Answer> {
  /** How many go together at most. */
  readonly most: number
  /** How many sends are on their way at most, each on a connection of its own. */
  readonly sends: number
  /** Answers each of these, in their order. If it rejects, so do all of them. */
  readonly send: (given: readonly Given[]) => Promise<readonly Answer[]>
  /** Until another is answered nothing is sent that changes what the other changes or asks as, or asks as what it changes. */
  readonly keysOf?: (given: Given) => Keys
}

interface Keys {
  readonly changes: string
  readonly asks: string
}

interface Waiting<Given, Answer> {
  readonly given: Given
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** What is given in one turn of the event loop is sent together. */
export class Batches<Given, Answer> {
  readonly #options: BatchOptions<Given, Answer>
  readonly #sends = new Set<Promise<void>>()
  /** Keys of what is on its way. */
  readonly #flying = { changes: new Set<string>(), asks: new Map<string, number>() }
  #waiting: Waiting<Given, Answer>[] = []
  #isPlanned = false
  #closed = false

  constructor(options: BatchOptions<Given, Answer>) {
    this.#options = options
  }

  give(given: Given): Promise<Answer> {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) return Promise.reject(new Unavailable())
    return new Promise((resolve, reject) => {
      this.#waiting.push({ given, resolve, reject })
      this.#plan()
    })
  }

  /** There is no server: what waits for one would wait as long again. */
  refuseWaiting(cause: unknown): void {
    const error = new Unavailable({ cause })
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Resolves when all that came before is answered; what comes later is `Unavailable`. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#waiting.length > 0 || this.#sends.size > 0) {
      await Promise.all(this.#sends)
      await new Promise(setImmediate)
    }
  }

  #plan(): void {
    if (this.#isPlanned || this.#waiting.length === 0 || this.#sends.size >= this.#options.sends) return
    this.#isPlanned = true
    // Everything that comes in this turn of the loop joins; and while every turn brings more, that of a moment.
    void whileMoreCome(() => this.#waiting.length, this.#options.most).then(() => {
      this.#isPlanned = false
      const batch = this.#next()
      // What waits for others on their way goes after them.
      if (batch.length === 0) return
      const sending = this.#send(batch).finally(() => {
        this.#sends.delete(sending)
        this.#plan()
      })
      this.#sends.add(sending)
      this.#plan()
    })
  }

  #next(): readonly Waiting<Given, Answer>[] {
    const { most, keysOf } = this.#options
    if (keysOf === undefined) return this.#waiting.splice(0, most)
    const batch: Waiting<Given, Answer>[] = []
    // What waits is not overtaken by what it has to do with: else it might wait for ever.
    const passed = { changes: new Set<string>(), asks: new Set<string>() }
    this.#waiting = this.#waiting.filter((one) => {
      if (batch.length >= most) return true
      const keys = keysOf(one.given)
      const isNext = !meet(keys, passed) && this.#takeOff(keys)
      if (isNext) batch.push(one)
      else {
        passed.changes.add(keys.changes)
        passed.asks.add(keys.asks)
      }
      return !isNext
    })
    return batch
  }

  #takeOff({ changes, asks }: Keys): boolean {
    const flying = this.#flying
    if (meet({ changes, asks }, flying)) return false
    flying.changes.add(changes)
    flying.asks.set(asks, (flying.asks.get(asks) ?? 0) + 1)
    return true
  }

  #land({ changes, asks }: Keys): void {
    const flying = this.#flying
    flying.changes.delete(changes)
    const left = (flying.asks.get(asks) ?? 0) - 1
    if (left > 0) flying.asks.set(asks, left)
    else flying.asks.delete(asks)
  }

  async #send(batch: readonly Waiting<Given, Answer>[]): Promise<void> {
    const { keysOf, send } = this.#options
    try {
      const answers = await send(batch.map(({ given }) => given))
      for (const [n, { resolve }] of batch.entries()) resolve(answers[n] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      if (keysOf !== undefined) for (const { given } of batch) this.#land(keysOf(given))
    }
  }
}

interface Known {
  has(key: string): boolean
}

const meet = ({ changes, asks }: Keys, others: { readonly changes: Known; readonly asks: Known }): boolean =>
  others.changes.has(changes) || others.changes.has(asks) || others.asks.has(changes)
