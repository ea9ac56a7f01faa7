import { setTimeout as sleep } from 'node:timers/promises'
import type { GuardedThings } from './guarded-things.ts'
import type { Service } from './service.ts'

const EVERY = 500
const GUARD_EVERY = 10
/** Milliseconds in which a service that does anything at all answers, on a machine that has other things to do. */
const SLOWEST = 60_000
const MOST_MEMORY = 700 * 2 ** 20

export interface Figures {
  /** Milliseconds: the longest that `GET /livez` took meanwhile. */
  readonly slowest: number
  readonly mostMemory: number
}

/** Looks from outside whether the service is well while it is tried. */
export class Watch {
  readonly #service: Service
  readonly #guarded: GuardedThings
  readonly #found: (problem: string) => void
  #stopped = false
  #running: Promise<void> | undefined
  #slowest = 0
  #mostMemory = 0

  constructor(service: Service, guarded: GuardedThings, found: (problem: string) => void) {
    this.#service = service
    this.#guarded = guarded
    this.#found = found
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<Figures> {
    this.#stopped = true
    await this.#running
    await this.#look(true)
    return { slowest: this.#slowest, mostMemory: this.#mostMemory }
  }

  async #run(): Promise<void> {
    for (let round = 1; !this.#stopped; round++) {
      await this.#look(round % GUARD_EVERY === 0)
      await sleep(EVERY)
    }
  }

  async #look(atGuardedThings: boolean): Promise<void> {
    if (!this.#service.isRunning) return
    this.#mostMemory = Math.max(this.#mostMemory, this.#service.residentBytes)
    if (this.#mostMemory > MOST_MEMORY) this.#found(`memory: ${this.#mostMemory >> 20} MB`)
    const begin = performance.now()
    try {
      const answer = await fetch(`${this.#service.url}/livez`, { signal: AbortSignal.timeout(SLOWEST) })
      await answer.arrayBuffer()
      if (answer.status !== 200) this.#found(`livez: ${answer.status}`)
      const problem = atGuardedThings ? await this.#guarded.problem() : undefined
      if (problem !== undefined) this.#found(problem)
    } catch (error) {
      if (this.#service.isRunning) this.#found(`livez: ${error}`)
    }
    this.#slowest = Math.max(this.#slowest, performance.now() - begin)
  }
}
