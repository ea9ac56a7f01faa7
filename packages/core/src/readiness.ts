import type { Dependencies } from './dependencies.ts'
import { type Instant, MINUTE } from './instant.ts'
import type { OutboxHealth } from './outbox/outbox-store.ts'
import type { RequestReader } from './sign-up/waiting-request.ts'

/** `parked`: some mails, events or requests wait for a person. `stuck`: some are due, and no worker takes them. */
export type OutboxState = (typeof OUTBOX_STATES)[number]
export const OUTBOX_STATES = ['ok', 'parked', 'stuck'] as const

export const STORAGE_STATES = ['ok', 'down'] as const

export interface Readiness {
  readonly ready: boolean
  readonly storage: (typeof STORAGE_STATES)[number]
  readonly outbox: OutboxState
}

/** Pending deliveries, and the worker that takes them here. */
interface WorkedQueue {
  readonly pending: { health(): Promise<OutboxHealth> }
  readonly worker: { readonly lastRound: Instant | undefined }
}

type Needs = Pick<Dependencies, 'clock'> & {
  readonly queues: readonly WorkedQueue[]
  readonly requests: Pick<RequestReader, 'backlog'>
}

/** Whether this instance does its work. No figures: they would reveal sign-ups. */
export class CheckReadinessUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** Never throws: the answer says what is wrong. */
  async execute(): Promise<Readiness> {
    try {
      const queues = this.#ports.queues.map((queue) => this.#stateOf(queue))
      const states = await Promise.all([...queues, this.#stateOfRequests()])
      const outbox = states.find((state) => state === 'stuck') ?? states.find((state) => state === 'parked') ?? 'ok'
      return { ready: outbox !== 'stuck', storage: 'ok', outbox }
    } catch {
      return { ready: false, storage: 'down', outbox: 'ok' }
    }
  }

  /** At rest they wait for a fraction of a second. */
  async #stateOfRequests(): Promise<OutboxState> {
    const { ends, parked } = await this.#ports.requests.backlog()
    if (ends !== undefined && ends.since < this.#ports.clock.now() - MINUTE) return 'stuck'
    return parked > 0 ? 'parked' : 'ok'
  }

  async #stateOf({ pending, worker }: WorkedQueue): Promise<OutboxState> {
    const { parked, dueSince } = await pending.health()
    const longAgo = this.#ports.clock.now() - MINUTE
    const idle = (worker.lastRound ?? 0) < longAgo
    if (idle && dueSince !== undefined && dueSince < longAgo) return 'stuck'
    return parked ? 'parked' : 'ok'
  }
}
