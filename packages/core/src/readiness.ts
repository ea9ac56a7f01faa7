import { type Instant, MINUTE } from './instant.ts'
import type { Clock } from './ports/clock.ts'
import type { OutboxReader } from './ports/outbox-store.ts'

/** `parked`: some mails wait for a person. `stuck`: mails are due, and nobody here works on them. */
export type OutboxState = 'ok' | 'parked' | 'stuck'

export interface Readiness {
  readonly ready: boolean
  readonly storage: 'ok' | 'down'
  readonly outbox: OutboxState
}

/** Whether this instance does its work. No figures: they would tell who is new. */
export class CheckReadinessUseCase {
  readonly #outbox: Pick<OutboxReader, 'health'>
  readonly #worker: { readonly lastRound: Instant | undefined }
  readonly #clock: Clock

  constructor(ports: {
    outbox: Pick<OutboxReader, 'health'>
    worker: { readonly lastRound: Instant | undefined }
    clock: Clock
  }) {
    this.#outbox = ports.outbox
    this.#worker = ports.worker
    this.#clock = ports.clock
  }

  /** Never throws: what is wrong is the answer. */
  async execute(): Promise<Readiness> {
    try {
      const { parked, dueSince } = await this.#outbox.health()
      const longAgo = this.#clock.now() - MINUTE
      const idle = (this.#worker.lastRound ?? 0) < longAgo
      const outbox = idle && dueSince !== undefined && dueSince < longAgo ? 'stuck' : parked ? 'parked' : 'ok'
      return { ready: outbox !== 'stuck', storage: 'ok', outbox }
    } catch {
      return { ready: false, storage: 'down', outbox: 'ok' }
    }
  }
}
