import type { Dependencies } from './dependencies.ts'
import { type Instant, MINUTE } from './instant.ts'
import type { OutboxHealth } from './outbox/outbox-store.ts'
import type { RequestReader } from './sign-up/waiting-request.ts'
import type { WebhookName } from './webhooks/webhook.ts'
import type { WebhookDeliveryReader } from './webhooks/webhook-delivery-store.ts'

/**
 * `failing`: a webhook has taken nothing for some minutes. `parked`: some mails, events or requests wait for a person.
 * `stuck`: some are due, and no worker takes them.
 */
export type OutboxState = (typeof OUTBOX_STATES)[number]
export const OUTBOX_STATES = ['ok', 'failing', 'parked', 'stuck'] as const
const WORST_FIRST = OUTBOX_STATES.toReversed()

/** Shorter, a target may only have been started anew. */
export const FAILS_FOR_LONG = 10 * MINUTE

/** Those of the failing targets that have taken nothing for so long that somebody should look. */
export const failingForLong = <Failing extends readonly [webhook: WebhookName, since: Instant]>(
  failing: readonly Failing[],
  now: Instant,
): readonly Failing[] => failing.filter(([, since]) => now - since >= FAILS_FOR_LONG)

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
  readonly webhooks: Pick<WebhookDeliveryReader, 'failing'>
}

/** Whether this instance does its work. No figures: they would reveal sign-ups. */
export class CheckReadinessUseCase {
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** Never throws: the answer says what is wrong. A storage that cannot be written, of a full disk say, throws at `health`. */
  async execute(): Promise<Readiness> {
    try {
      const queues = this.#ports.queues.map((queue) => this.#stateOf(queue))
      const states = await Promise.all([...queues, this.#stateOfRequests(), this.#stateOfWebhooks()])
      const outbox = WORST_FIRST.find((state) => states.includes(state)) ?? 'ok'
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

  async #stateOfWebhooks(): Promise<OutboxState> {
    const failing = await this.#ports.webhooks.failing()
    return failingForLong(failing, this.#ports.clock.now()).length > 0 ? 'failing' : 'ok'
  }

  async #stateOf({ pending, worker }: WorkedQueue): Promise<OutboxState> {
    const { parked, dueSince } = await pending.health()
    const longAgo = this.#ports.clock.now() - MINUTE
    const idle = (worker.lastRound ?? 0) < longAgo
    if (idle && dueSince !== undefined && dueSince < longAgo) return 'stuck'
    return parked ? 'parked' : 'ok'
  }
}
