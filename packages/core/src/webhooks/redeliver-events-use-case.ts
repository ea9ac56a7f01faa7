import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { positionAt } from '../events/event-store.ts'
import { parseTime } from '../instant.ts'
import { type Position, stretchOf } from '../page.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { webhookNamed } from './read-webhooks-use-cases.ts'
import type { Webhook, WebhookName } from './webhook.ts'
import { setBack } from './webhook-progress.ts'

/** One of the three. */
export interface RedeliverEventsCommand {
  readonly name: string
  /** Every event behind this one, by its `sequence`. */
  readonly after?: string | undefined
  /** Every event from this time on (RFC 3339). */
  readonly since?: string | undefined
  /** Every event that was given up. */
  readonly parked?: boolean | undefined
  readonly precondition?: Precondition<Webhook> | undefined
}

export interface Redelivery {
  readonly webhook: WebhookName
  /** The position from which all events are sent again; undefined if parked ones are retried, or the target is not so far yet. */
  readonly after: Position | undefined
  /** How many parked events are tried again; 0 if a position is given. */
  readonly retried: number
}

export class RedeliverEventsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock',
  'events' | 'webhooks'
> {
  static readonly permission = 'webhooks:write'
  static readonly action = 'webhook.redeliver'

  /**
   * Sends events again, each under the id that it had, as far as they are kept; those that the target wants.
   * @throws {InvalidInput} not exactly one of the three is given, or it is not valid
   * @throws {MalformedRequest} `after` is the sequence of no event
   * @throws {WebhookNotFound}
   */
  async execute(command: RedeliverEventsCommand, caller: Caller): Promise<Redelivery> {
    const attempt = await this.ports.access.require(caller, RedeliverEventsUseCase, command.name)
    requireCondition(command.precondition, await webhookNamed(this.ports.readers.webhooks, command.name))
    const from = await this.#place(command)
    return await this.ports.unitOfWork.run(async ({ webhooks, webhookDeliveries, audit }) => {
      const webhook = await webhookNamed(webhooks, command.name)
      requireCondition(command.precondition, webhook)
      const { name } = webhook
      const progress = await webhookDeliveries.progress(name)
      let after: Position | undefined
      let retried = 0
      if (from === undefined) retried = await webhookDeliveries.retryAll(name, { parked: true })
      else if (progress && from < progress.cursor) {
        after = from
        await webhookDeliveries.putProgress(name, setBack(progress, from, this.ports.clock.now()))
      }
      await this.ports.trail.done(audit, caller, attempt)
      return { webhook: name, after, retried }
    })
  }

  /** Undefined for the parked ones. */
  async #place({ after, since, parked = false }: RedeliverEventsCommand): Promise<Position | undefined> {
    const given = [after, since, parked || undefined].filter((one) => one !== undefined && one !== '')
    if (given.length !== 1) throw new InvalidInput([{ field: 'after', message: ONE_OF_THREE }])
    if (parked) return undefined
    if (after) return stretchOf({ cursor: after }).after
    const time = parseTime(since ?? '', 'since', this.ports.clock.now())
    return await positionAt(this.ports.readers.events, time ?? 0)
  }
}

const ONE_OF_THREE = "Give one of 'after' (the sequence of an event), 'since' (a time) and 'parked' (true)."
