import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliverEventsUseCase, EventDeliveryRound, WebhookDeliveryFailure } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { DeliveryLoop, POLL, type Rounds } from './delivery-loop.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'

interface Options {
  readonly deliver: DeliverEventsUseCase
  readonly metrics: Pick<ServiceMetrics, 'eventsDelivered'>
  readonly log: Log
  readonly requests: Pick<RequestsInFlight, 'idle'>
}

/** Milliseconds; what was sent within them is recorded in one commit. */
const BATCH_WINDOW = 10

/** From the turn of one target to that of the next, if there is always some request to be answered. */
const GIVING_WAY = 50

/**
 * Sends events to their targets, which it looks for every second, for as long as there are any. Requests go first: targets
 * have their turns one after another, in lulls of the requests or every so often.
 */
export const eventWorker = ({ deliver, metrics, log, requests }: Options): DeliveryLoop => {
  let lastTurn = Promise.resolve()
  const pace = (): Promise<void> => {
    lastTurn = lastTurn.then(async () => {
      await sleep(BATCH_WINDOW)
      await requests.idle(GIVING_WAY)
    })
    return lastTurn
  }
  const report = async (working: Promise<EventDeliveryRound>): Promise<void> => {
    try {
      const round = await working
      metrics.eventsDelivered(round)
      for (const failure of round.failures) tell(log, failure)
      if (round.sent > 0) log.debug({ sent: round.sent }, 'events sent')
      if (round.trouble !== undefined) throw round.trouble
    } catch (error) {
      log.error({ err: error }, 'events could not be sent; trying again')
    }
  }
  const rounds: Rounds = {
    next: async (stop) => {
      await report(deliver.advance({ stop, pace }))
      return POLL
    },
    finish: () => report(deliver.finish()),
    renewLeases: () => deliver.renewLeases(),
  }
  return new DeliveryLoop(rounds, log)
}

const tell = (log: Log, { delivery, error, parked, disabled }: WebhookDeliveryFailure): void => {
  const { id, webhook, event, attempts } = delivery
  const fields = { delivery: id, webhook, event: event.position, attempts, reason: reasonOf(error) }
  if (parked) log.error(fields, 'an event was given up and is parked: see `rollcall outbox list`')
  else log.warn(fields, 'an event could not be sent and will be tried again')
  if (disabled !== undefined)
    log.error({ webhook, because: disabled }, 'a webhook was disabled: see `rollcall webhook show`')
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : 'unknown'
