import { enrichEvents, eventId, publishedEvent } from '../events/enriched-event.ts'
import type { Outcomes } from '../outbox/outcomes.ts'
import type { Needs } from '../use-case.ts'
import { type ClaimedDeliveries, claimDeliveries, type DueDelivery, NONE_CLAIMED } from './claim-deliveries.ts'
import type { DeliveryOutcome, SaidAnswer, WebhookDeliveryFailure } from './decide-deliveries.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import type { WebhookName } from './webhook.ts'
import { headOf } from './webhook-answer.ts'
import { answerOf, type TargetAnswer, type WebhookMessage } from './webhook-transport.ts'

export interface DeliverEventsCommand {
  /** Once aborted, no further event is sent. An `AbortSignal` will do. */
  readonly stop?: { readonly aborted: boolean } | undefined
  /**
   * Awaited before each turn of a target: a host may have more urgent work; and what ends meanwhile is stored together. It
   * must not reject.
   */
  readonly pace?: (() => Promise<void>) | undefined
}

export type DispatcherPorts =
  | 'unitOfWork'
  | 'readers'
  | 'webhookTransport'
  | 'webhookSecrets'
  | 'trail'
  | 'clock'
  | 'randomness'
  | 'publicUrl'

/**
 * Sends what is due to one target, so that a slow or failing one takes nothing from the others: each has its own room, of
 * as many events as the transport can usefully send to one target at once. In turns, one at a time, while there is
 * anything to do:
 *
 *     pace ──▶ one unit of work settles all that ended ──▶ the subjects of all are read ──▶ each is sent ──▶ ended
 *         └──▶ one claims as many as there is room for ──┘
 *
 * A turn that has done something is followed by another, and one that has not waits for an event to end. After something
 * went wrong no more is claimed until it runs again. A claim that fails makes a new owner.
 */
export class TargetDispatcher {
  /** Unique to this target at this worker of this process. */
  owner: string
  /** How many are claimed, and what became of them is not stored: their leases have to be renewed. */
  open = 0
  /** Until nothing is under way. */
  running: Promise<void> | undefined
  readonly #name: WebhookName
  readonly #ports: Needs<DispatcherPorts>
  readonly #outcomes: Outcomes<WebhookDeliveryFailure>
  #isTroubled = false
  #sending = 0
  #ended: DeliveryOutcome[] = []
  #rung = Promise.withResolvers<void>()

  constructor(name: WebhookName, ports: Needs<DispatcherPorts>, outcomes: Outcomes<WebhookDeliveryFailure>) {
    this.#name = name
    this.#ports = ports
    this.#outcomes = outcomes
    this.owner = ports.randomness.hex(16)
  }

  /** Begins, or looks once more; never rejects. */
  run(command: DeliverEventsCommand): void {
    this.#isTroubled = false
    this.#rung.resolve()
    this.running ??= this.#work(command).finally(() => {
      this.running = undefined
    })
  }

  async #work({ stop, pace }: DeliverEventsCommand): Promise<void> {
    for (;;) {
      await pace?.()
      this.#rung = Promise.withResolvers()
      if (await this.#turn(stop)) continue
      if (this.#sending + this.#ended.length === 0) return
      await this.#rung.promise
    }
  }

  /** Whether it has done anything, so that there may be more to do. */
  async #turn(stop: DeliverEventsCommand['stop']): Promise<boolean> {
    const ended = this.#ended.splice(0)
    const room = this.#ports.webhookTransport.concurrency - this.open + ended.length
    // Side by side, so that they may share a commit.
    const [isSettled, { moved, due }] = await Promise.all([
      this.#settle(ended),
      stop?.aborted || this.#isTroubled || room <= 0 ? NONE_CLAIMED : this.#claim(room),
    ])
    this.open += due.length
    const messages = await this.#messagesOf(due)
    for (const [n, one] of due.entries()) {
      const message = stop?.aborted ? undefined : messages[n]
      if (message) void this.#send(one, message)
      else this.#ended.push({ due: one, is: 'unbegun', at: this.#ports.clock.now() })
    }
    return moved || (ended.length > 0 && isSettled)
  }

  async #settle(ended: readonly DeliveryOutcome[]): Promise<boolean> {
    if (ended.length === 0) return true
    const isSettled = await this.#outcomes.write(ended, async (some) => {
      const failures = await this.#ports.unitOfWork.run(async (stores) => {
        const failed: WebhookDeliveryFailure[] = []
        for (const [owner, theirs] of Map.groupBy(some, ({ due }) => due.owner))
          failed.push(...(await settleDeliveries(stores, this.#ports, { name: this.#name, owner }, theirs)))
        return failed
      })
      this.open -= some.length
      return failures
    })
    this.#isTroubled ||= !isSettled
    return isSettled
  }

  async #claim(limit: number): Promise<ClaimedDeliveries> {
    try {
      const claim = { limit, owner: this.owner }
      return await this.#ports.unitOfWork.run((stores) => claimDeliveries(stores, this.#ports, this.#name, claim))
    } catch (trouble) {
      // The claim may have been stored, but this worker does not have its entries: those leases must not be renewed.
      this.owner = this.#ports.randomness.hex(16)
      this.#trouble(trouble)
      return NONE_CLAIMED
    }
  }

  /** The subjects are read at the last moment: of one that was erased meanwhile only its id is left. */
  async #messagesOf(due: readonly DueDelivery[]): Promise<WebhookMessage[]> {
    const { readers, publicUrl, webhookSecrets, clock } = this.#ports
    const [first] = due
    if (first === undefined) return []
    try {
      const events = due.map(({ delivery }) => delivery.event)
      const secrets = webhookSecrets.signing(first.webhook, clock.now())
      return (await enrichEvents(events, readers, publicUrl)).map((enriched) => ({
        url: first.webhook.url,
        id: eventId(enriched.event),
        body: JSON.stringify(publishedEvent(enriched)),
        secrets,
        traceContext: enriched.event.traceContext,
      }))
    } catch (trouble) {
      this.#trouble(trouble)
      return []
    }
  }

  async #send(due: DueDelivery, message: WebhookMessage): Promise<void> {
    const { webhookTransport, clock, randomness } = this.#ports
    this.#sending++
    try {
      const answer = saidOf(await webhookTransport.send(message), message)
      this.#ended.push({ due, is: 'sent', at: clock.now(), answer })
    } catch (error) {
      const isBrokenOff = error instanceof Error && error.name === 'AbortError'
      this.#isTroubled ||= isBrokenOff
      const at = clock.now()
      this.#ended.push(
        isBrokenOff
          ? { due, is: 'unbegun', at }
          : { due, is: 'failed', error, answer: saidOf(answerOf(error), message), at, fraction: randomness.fraction() },
      )
    }
    this.#sending--
    this.#rung.resolve()
  }

  #trouble(trouble: unknown): void {
    this.#outcomes.note(trouble)
    this.#isTroubled = true
  }
}

const saidOf = (answer: TargetAnswer | undefined, { body }: WebhookMessage): SaidAnswer | undefined =>
  answer && { status: answer.status, head: headOf(answer.head, body) }
