import { enrichEvents, eventId, eventRecord } from '../events/enriched-event.ts'
import type { Instant } from '../instant.ts'
import { LEASE } from '../outbox/claim-mails.ts'
import { Outcomes } from '../outbox/outcomes.ts'
import { type Needs, UseCase } from '../use-case.ts'
import {
  type ClaimedDeliveries,
  DueDeliveries,
  type DueDelivery,
  type WebhookDeliveryFailure,
} from './due-deliveries.ts'
import type { WebhookName } from './webhook.ts'
import type { WebhookMessage } from './webhook-transport.ts'

export interface DeliverEventsCommand {
  /** Once aborted, no further event is sent. An `AbortSignal` will do. */
  readonly stop?: { readonly aborted: boolean } | undefined
  /** Awaited before each target is served: a host may have more urgent work. */
  readonly pace?: (() => Promise<void>) | undefined
  /** Awaited before the outcome of an event is stored: those that wait at the same time may share a commit. */
  readonly gather?: (() => Promise<void>) | undefined
  /** Called when an event is done: there may be room for another. */
  readonly freed?: (() => void) | undefined
}

/** What one round did. */
export interface EventDeliveryRound {
  /** Whether there was anything to do; if not, there is time to wait. */
  readonly moved: boolean
  readonly sent: number
  /** Tried and failed: waiting for another try, or parked. */
  readonly failures: readonly WebhookDeliveryFailure[]
}

/** How many targets are served in one round. */
const MOST_TARGETS = 100

type Ports =
  | 'unitOfWork'
  | 'readers'
  | 'sealer'
  | 'webhookTransport'
  | 'webhookSecrets'
  | 'trail'
  | 'clock'
  | 'randomness'
  | 'publicUrl'

/** Sends events to the targets that want them: at least once each, and of one subject in their order. */
export class DeliverEventsUseCase extends UseCase<Ports> {
  /** Unique to this worker of this process. */
  #owner: string
  readonly #due: DueDeliveries
  readonly #inFlight: DeliveriesInFlight
  #lastRound: Instant | undefined
  #sent = 0
  #failures: WebhookDeliveryFailure[] = []
  readonly #outcomes = new Outcomes()

  constructor(ports: Needs<Ports>) {
    super(ports)
    this.#owner = ports.randomness.hex(16)
    this.#due = new DueDeliveries(ports)
    this.#inFlight = new DeliveriesInFlight(ports.webhookTransport.concurrency)
  }

  /** When a round last came to its end; undefined before the first. */
  get lastRound(): Instant | undefined {
    return this.#lastRound
  }

  /** One round: sends what is due to each target, and resolves when all of it is done. */
  async execute(command: DeliverEventsCommand = {}): Promise<EventDeliveryRound> {
    const moved = await this.#begin(command)
    await this.#inFlight.end()
    return this.#report(moved)
  }

  /** As `execute`, but resolves when each event is begun: what takes long is reported by a later round. */
  async advance(command: DeliverEventsCommand): Promise<EventDeliveryRound> {
    const moved = await this.#begin(command)
    return this.#report(moved)
  }

  /** Waits for all that was begun, and reports what no round has reported. */
  async finish(): Promise<EventDeliveryRound> {
    await this.#inFlight.end()
    await this.#outcomes.writeDown()
    return this.#report(false)
  }

  /** To be called well within the lease while events are in flight, so that no other worker sends the same. */
  async renewLeases(): Promise<void> {
    await this.ports.unitOfWork.run(({ webhookDeliveries }) => webhookDeliveries.renew(this.#owner, LEASE))
  }

  async #begin(command: DeliverEventsCommand): Promise<boolean> {
    await this.#outcomes.writeDown()
    let anyMoved = false
    await this.ports.sealer.sealIfPossible()
    for (const name of await this.ports.readers.webhookDeliveries.due(MOST_TARGETS)) {
      await command.pace?.()
      const room = this.#inFlight.room(name)
      if (command.stop?.aborted || room <= 0) continue
      const { moved, due } = await this.#claim(name, room)
      anyMoved ||= moved
      for (const one of due) this.#inFlight.begin(name, this.#deliver(one, command.gather)).then(command.freed)
    }
    return anyMoved
  }

  async #claim(name: WebhookName, limit: number): Promise<ClaimedDeliveries> {
    try {
      return await this.ports.unitOfWork.run((stores) => this.#due.claim(stores, name, limit, this.#owner))
    } catch (trouble) {
      // The claim may have been stored, but this worker does not have its entries: those leases must not be renewed.
      this.#owner = this.ports.randomness.hex(16)
      this.#outcomes.note(trouble)
      return { moved: false, due: [] }
    }
  }

  /** Never rejects: the next round reports what went wrong. */
  async #deliver(due: DueDelivery, gather?: () => Promise<void>): Promise<void> {
    const message = await this.#messageOf(due)
    const refusal = message && (await this.#send(message))
    await this.#outcomes.write(async () => {
      await gather?.()
      if (message === undefined) await this.ports.unitOfWork.run((stores) => this.#due.giveBack(stores, due))
      else if (refusal) this.#failures.push(await this.#fail(due, refusal.error))
      else {
        await this.ports.unitOfWork.run((stores) => this.#due.succeeded(stores, due))
        this.#sent++
      }
    })
  }

  /** The subject is read at the last moment: if it was erased meanwhile, only its id is left. */
  async #messageOf({ delivery, webhook }: DueDelivery): Promise<WebhookMessage | undefined> {
    try {
      const [enriched] = await enrichEvents([delivery.event], this.ports.readers, this.ports.publicUrl)
      return (
        enriched && {
          url: webhook.url,
          id: eventId(delivery.event),
          body: JSON.stringify(eventRecord(enriched)),
          secrets: this.ports.webhookSecrets.signing(webhook, this.ports.clock.now()),
          traceContext: delivery.event.traceContext,
        }
      )
    } catch (trouble) {
      this.#outcomes.note(trouble)
      return undefined
    }
  }

  #send(message: WebhookMessage): Promise<{ readonly error: unknown } | undefined> {
    return this.ports.webhookTransport.send(message).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
  }

  #fail(due: DueDelivery, error: unknown): Promise<WebhookDeliveryFailure> {
    return this.ports.unitOfWork.run((stores) => this.#due.failed(stores, due, error))
  }

  /** @throws the error that kept an outcome from being stored: the next round begins with that */
  #report(moved: boolean): EventDeliveryRound {
    this.#outcomes.report()
    const round = { moved, sent: this.#sent, failures: this.#failures }
    this.#sent = 0
    this.#failures = []
    this.#lastRound = this.ports.clock.now()
    return round
  }
}

/** How many at a time, so that one slow target does not use up the concurrency. */
const PER_TARGET = 10

/** Deliveries in flight. */
class DeliveriesInFlight {
  readonly #most: number
  readonly #targets = new Map<Promise<void>, WebhookName>()

  constructor(most: number) {
    this.#most = most
  }

  /** How many more may be begun to this target. */
  room(target: WebhookName): number {
    const toTarget = [...this.#targets.values()].filter((one) => one === target).length
    return Math.min(PER_TARGET - toTarget, this.#most - this.#targets.size)
  }

  /** The delivery must never reject. */
  begin(target: WebhookName, delivery: Promise<void>): Promise<void> {
    const ended = delivery.then(() => {
      this.#targets.delete(ended)
    })
    this.#targets.set(ended, target)
    return ended
  }

  /** Resolves when all are done. */
  async end(): Promise<void> {
    await Promise.all(this.#targets.keys())
  }
}
