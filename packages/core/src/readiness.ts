import type { Dependencies } from './dependencies.ts'
import { type Instant, MINUTE } from './instant.ts'
import type { OutboxHealth } from './outbox/outbox-store.ts'

/** `parked`: some mails or events wait for a person. `stuck`: some are due, and no worker here takes them. */
export type OutboxState = 'ok' | 'parked' | 'stuck'

export interface Readiness {
  readonly ready: boolean
  readonly storage: 'ok' | 'down'
  readonly outbox: OutboxState
}

/** Pending deliveries, and the worker that takes them here. */
interface WorkedQueue {
  readonly pending: { health(): Promise<OutboxHealth> }
  readonly worker: { readonly lastRound: Instant | undefined }
}

type Needs = Pick<Dependencies, 'clock'> & { readonly queues: readonly WorkedQueue[] }

/** Whether this instance does its work. No figures: they would reveal sign-ups. */
export class CheckReadinessUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** Never throws: the answer says what is wrong. */
  async execute(): Promise<Readiness> {
    try {
      const states = await Promise.all(this.#ports.queues.map((queue) => this.#stateOf(queue)))
      const outbox = states.find((state) => state === 'stuck') ?? states.find((state) => state === 'parked') ?? 'ok'
      return { ready: outbox !== 'stuck', storage: 'ok', outbox }
    } catch {
      return { ready: false, storage: 'down', outbox: 'ok' }
    }
  }

  async #stateOf({ pending, worker }: WorkedQueue): Promise<OutboxState> {
    const { parked, dueSince } = await pending.health()
    const longAgo = this.#ports.clock.now() - MINUTE
    const idle = (worker.lastRound ?? 0) < longAgo
    if (idle && dueSince !== undefined && dueSince < longAgo) return 'stuck'
    return parked ? 'parked' : 'ok'
  }
}
