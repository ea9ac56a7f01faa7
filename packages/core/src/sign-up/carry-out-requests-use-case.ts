import { Unavailable } from '../errors.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import type { Position } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { type CarriedOut, carryOut } from './carry-out-requests.ts'

/** If all units wait for one another, a batch must be short. */
const SHORT_BATCH = 48
const BATCH = 256

export interface Processed {
  /** How many were carried out. */
  readonly requests: number
  /** Whether there may be more that wait for their turn. */
  readonly more: boolean
}

/** Carries out what the public has asked for, in the order in which it came, a batch at a time. */
export class CarryOutRequestsUseCase extends UseCase<
  'unitOfWork' | 'clock' | 'digests' | 'randomness' | 'transport' | 'linkLife' | 'metrics'
> {
  /**
   * One batch. If it fails, its requests are carried out one by one, and one that fails by itself is parked.
   * @throws {Unavailable} storage is down; nothing was changed
   */
  async execute(): Promise<Processed> {
    const limit = this.ports.unitOfWork.sideBySide ? BATCH : SHORT_BATCH
    try {
      const { requests } = await this.#batch(limit)
      return { requests, more: requests > 0 }
    } catch (error) {
      if (error instanceof Unavailable) throw error
      return await this.#oneByOne(limit)
    }
  }

  async #oneByOne(limit: number): Promise<Processed> {
    let requests = 0
    for (let n = 0; n < limit; n++) {
      const done = await this.#one()
      if (done === 0) return { requests, more: false }
      requests += done
    }
    return { requests, more: true }
  }

  async #one(): Promise<number> {
    let taken: Position | undefined
    const note = (id: Position | undefined): void => {
      taken = id
    }
    try {
      return (await this.#batch(1, note)).requests
    } catch (error) {
      if (error instanceof Unavailable || taken === undefined) throw error
      const id = taken
      await this.ports.unitOfWork.run(({ requests }) =>
        requests.park(id, this.ports.clock.now(), describeFailure(error)),
      )
      return 1
    }
  }

  async #batch(limit: number, note?: (id: Position | undefined) => void): Promise<CarriedOut> {
    const outcome = await this.ports.unitOfWork.run(async (stores) => {
      const requests = await stores.requests.take(limit)
      note?.(requests[0]?.id)
      return await carryOut(stores, this.ports, requests)
    })
    for (const rule of outcome.turnedAway) this.ports.metrics.turnedAway(rule)
    return outcome
  }
}
