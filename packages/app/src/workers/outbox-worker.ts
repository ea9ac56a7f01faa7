import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { type DeliverOutboxUseCase, type DeliveryRound, type MailTransport, MailUnanswered } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { BatchWindow, DeliveryLoop, type Rounds } from './delivery-loop.ts'
import type { RequestsInFlight } from './requests-in-flight.ts'
import type { Signal } from './signal.ts'

interface Options {
  readonly deliver: DeliverOutboxUseCase
  readonly outboxSignal: Signal
  readonly metrics: Pick<ServiceMetrics, 'delivered'>
  readonly log: Log
  readonly requests: Pick<RequestsInFlight, 'active' | 'idle'>
  readonly givingWay: GivingWay
}

/** Milliseconds from one mail to the next where there is always some request to be answered. */
interface GivingWay {
  readonly usual: number
  /** Where the thread has no time left for anything else. */
  readonly saturated: number
}

/** Files are written by the thread that answers requests; a relay's mails are made and sent by one of their own. */
export const givingWayOf = ({ keepsMails }: Pick<MailTransport, 'keepsMails'>): GivingWay =>
  keepsMails ? { usual: 50, saturated: 250 } : { usual: 5, saturated: 5 }

const ROUND = 20
/** So few that claiming them takes no request's time. */
const ROUND_AMONG_REQUESTS = 10

/**
 * Works the outbox, at once when it is notified and every second anyway. Requests go first: a mail is begun when none
 * is being answered, or after it has given way for a moment; so mail flows even where requests never cease.
 */
export class OutboxWorker {
  readonly #options: Options
  readonly #window = new BatchWindow()
  readonly #loop: DeliveryLoop

  constructor(options: Options) {
    this.#options = options
    this.#loop = new DeliveryLoop({ ...options, rounds: this.#rounds() })
  }

  start(): void {
    this.#loop.start()
  }

  /** Finishes the mails in hand and takes no more. */
  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  #rounds(): Rounds {
    const { deliver, requests } = this.#options
    const pace = () => this.#giveWay()
    const gather = () => this.#window.join()
    return {
      next: async (stop) => {
        const limit = requests.active ? ROUND_AMONG_REQUESTS : ROUND
        const round = await this.#report(deliver.advance({ limit, stop, pace, gather }))
        return round !== undefined && round.claimed > 0
      },
      finish: async () => {
        await this.#report(deliver.finish())
      },
      renewLeases: () => deliver.renewLeases(),
    }
  }

  async #giveWay(): Promise<void> {
    // Lets in whatever has arrived.
    await nextTurnOfTheLoop()
    const { requests, givingWay } = this.#options
    await requests.idle(givingWay.usual, givingWay.saturated)
  }

  async #report(working: Promise<DeliveryRound>): Promise<DeliveryRound | undefined> {
    const { metrics, log } = this.#options
    try {
      const round = await working
      metrics.delivered(round)
      for (const { entry, error, parked } of round.failures) {
        const fields = {
          outbox: entry.id,
          subscription: entry.subscriptionId,
          attempts: entry.attempts,
          reason: reasonOf(error),
        }
        if (parked) log.error(fields, 'a mail was refused and is parked: see `rollcall outbox list`')
        else if (error instanceof MailUnanswered)
          log.warn(fields, 'a mail may have been delivered, as the relay did not answer: a copy waits for the caps')
        else log.warn(fields, 'a mail could not be sent and will be tried again')
      }
      if (round.sent > 0) log.debug({ sent: round.sent }, 'mails sent')
      return round
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be worked; trying again')
      return undefined
    }
  }
}

// A relay's answer may hold the address; the log must not. The whole answer is in the outbox, without the address.
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown'
