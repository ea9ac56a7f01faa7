import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import type { RequestWorker as RequestWorkerPort, UseCases } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'

/**
 * Milliseconds from one round to the next, by chance: no request sets it, so that none can be told by it. A batch that has
 * nothing to write is shorter than one that has; spread over less time, that can be seen from outside.
 */
const SHORTEST_BEAT = 50
const LONGEST_BEAT = 350
/** Milliseconds. */
const MOMENT = 10

interface Work {
  readonly useCases: Pick<UseCases, 'carryOutRequests' | 'readers'>
  readonly metrics: Pick<ServiceMetrics, 'requestsCarriedOut'>
  readonly log: Log
}

/**
 * Carries out what the public asks for, on a beat of its own. Until it is started, and after it has stopped, another process
 * may be at work; if none is, whoever hands a request in carries it out.
 */
export class RequestWorker implements RequestWorkerPort {
  readonly #isServed: () => Promise<boolean>
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  /** `isServed` says whether a process serves the same database. */
  constructor(isServed: () => Promise<boolean>) {
    this.#isServed = isServed
  }

  async isAtWork(): Promise<boolean> {
    if (this.#running !== undefined) return true
    return await this.#isServed()
  }

  async moment(): Promise<void> {
    await sleep(MOMENT)
  }

  start(work: Work): void {
    this.#running = this.#run(work)
  }

  /** Finishes the batch in hand and takes no more: what waits is carried out by whichever process goes on. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
    this.#running = undefined
  }

  async #run(work: Work): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await sleep(SHORTEST_BEAT + Math.random() * (LONGEST_BEAT - SHORTEST_BEAT), undefined, { signal }).catch(
        () => undefined,
      )
      await this.#round(work)
    }
  }

  async #round({ useCases, metrics, log }: Work): Promise<void> {
    try {
      // A look costs less than a turn, and mostly nothing waits.
      if ((await useCases.readers.requests.backlog()).ends === undefined) return
      while (!this.#stop.signal.aborted) {
        const { requests, more } = await useCases.carryOutRequests.execute()
        if (requests > 0) metrics.requestsCarriedOut(requests)
        if (!more) return
        await nextTurnOfTheLoop()
      }
    } catch (error) {
      log.error({ err: error }, 'sign-ups could not be carried out; trying again')
    }
  }
}
