import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { sealOn } from './audit-seal.ts'
import type { AuditStore } from './audit-store.ts'

/** Records, events, or changes of numbers, in one unit of work: others may have to wait for it. */
const BATCH = 1_000
/** Milliseconds for which what has just failed is not tried again. */
const AFTER_FAILURE = 1_000

interface SealerPorts {
  readonly unitOfWork: UnitOfWork
  readonly readers: Pick<Readers, 'audit' | 'events' | 'numbers'>
  readonly clock: Clock
  readonly digests: Digests
}

/**
 * Gives what is committed its place, after the fact: records and events are written without a number, so that no change
 * waits for another. Numbers are given in the order of ids, by whichever process has its turn, and what one turn has
 * numbered of the trail is under one seal. What changes have added to the kept numbers is folded into them as well.
 */
export class Sealer {
  readonly #ports: SealerPorts
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failedAt: Instant | undefined

  constructor(ports: SealerPorts) {
    this.#ports = ports
  }

  /**
   * Resolves when everything that was committed before the call has its number, or is folded.
   * @throws {Unavailable} storage is down; another error if the end of the trail is not as it was left
   */
  seal(): Promise<void> {
    if (this.#running === undefined) return this.#begin()
    // What is under way may have looked before the caller's record was there.
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin())
    return this.#next
  }

  /** The same, but for a moment after a failure: to be called at most every 100 ms. Whether it was done. */
  async beat(): Promise<boolean> {
    if (this.#failedAt !== undefined && Math.abs(this.#ports.clock.now() - this.#failedAt) < AFTER_FAILURE) return false
    await this.seal()
    return true
  }

  /** For who reads: the same if possible; otherwise some of what is committed has no number. */
  async sealIfPossible(): Promise<void> {
    // Whatever keeps it from that, also a trail that was tampered with, is told by the beat, which tries again.
    await this.beat().catch(() => undefined)
  }

  #begin(): Promise<void> {
    this.#next = undefined
    const running = this.#sealAll().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  async #sealAll(): Promise<void> {
    const { unitOfWork, readers } = this.#ports
    try {
      // Without a look nothing would ever be idle: a turn is a transaction that writes. Events first, and apart: a trail
      // that was tampered with must not hold them up. Nor the numbers.
      if (await readers.events.hasUnnumbered())
        while ((await unitOfWork.run(({ events }) => events.number(BATCH))) === BATCH);
      if (await readers.numbers.hasUnfolded())
        while ((await unitOfWork.run(({ numbers }) => numbers.fold(BATCH))) === BATCH);
      if ((await readers.audit.unsealed({ after: 0, limit: 1 })).items.length > 0)
        while ((await unitOfWork.run(({ audit }) => this.#sealSome(audit))) === BATCH);
      this.#failedAt = undefined
    } catch (error) {
      this.#failedAt = this.#ports.clock.now()
      throw error
    }
  }

  /** How many. */
  async #sealSome(audit: AuditStore): Promise<number> {
    const { digests, clock } = this.#ports
    const before = await audit.newestSeal()
    const { items } = await audit.unsealed({ after: 0, limit: BATCH })
    if (items.length === 0) return 0
    const next = (before?.last ?? 0) + 1
    const records = items.map((record, n) => ({ ...record, sequence: next + n }))
    await audit.seal(
      sealOn(digests, before, records, clock.now()),
      items.map(({ id }) => id),
    )
    return items.length
  }
}

/** The same readers: who reads the trail, the events or the numbers by them has it sealed first, or folded. */
export const sealedFirst = (readers: Readers, sealer: Pick<Sealer, 'sealIfPossible'>): Readers => {
  const first = <Parameters extends unknown[], Found>(read: (...parameters: Parameters) => Promise<Found>) => {
    return async (...parameters: Parameters): Promise<Found> => {
      await sealer.sealIfPossible()
      return await read(...parameters)
    }
  }
  const { audit, events, numbers } = readers
  return {
    ...readers,
    audit: {
      list: first((stretch) => audit.list(stretch)),
      unsealed: first((stretch) => audit.unsealed(stretch)),
      find: first((id) => audit.find(id)),
      seals: first((stretch) => audit.seals(stretch)),
      head: first(() => audit.head()),
    },
    events: {
      list: first((stretch) => events.list(stretch)),
      last: first(() => events.last()),
      hasUnnumbered: () => events.hasUnnumbered(),
    },
    numbers: {
      daily: first((filter) => numbers.daily(filter)),
      net: first((filter) => numbers.net(filter)),
      current: first((feeds) => numbers.current(feeds)),
      ever: first(() => numbers.ever()),
      hasUnfolded: () => numbers.hasUnfolded(),
    },
  }
}
