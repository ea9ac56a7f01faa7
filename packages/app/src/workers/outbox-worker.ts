import { type DeliverOutboxUseCase, type DeliveryRound, type MailTransport, MailUnanswered } from '@rollcall/core'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from '../metrics/service-metrics.ts'
import { BatchWindow, DeliveryLoop, POLL, type Rounds } from './delivery-loop.ts'

interface Options {
  readonly deliver: DeliverOutboxUseCase
  readonly transport: Pick<MailTransport, 'keepsMails'>
  readonly metrics: Pick<ServiceMetrics, 'delivered'>
  readonly log: Log
}

/** Mails that are claimed at once. */
const ROUND = 20
/** Milliseconds from one look into the outbox to the next, by chance. */
const [SHORTEST_BEAT, LONGEST_BEAT] = [25, 100]

/**
 * Works the outbox on a beat of its own, which no request sets: so how long a request takes tells nothing about whether
 * another one queued a mail. A backlog is worked without a pause, but not where the thread of the requests writes files.
 */
export class OutboxWorker {
  readonly #options: Options
  /** What was sent within a beat is stored together. */
  readonly #window = new BatchWindow(SHORTEST_BEAT)
  readonly #loop: DeliveryLoop

  constructor(options: Options) {
    this.#options = options
    this.#loop = new DeliveryLoop(this.#rounds(), options.log)
  }

  start(): void {
    this.#loop.start()
  }

  /** Finishes the mails in hand and takes no more. */
  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  #rounds(): Rounds {
    const { deliver, transport } = this.#options
    const gather = () => this.#window.join()
    return {
      next: async (stop) => {
        const round = await this.#report(deliver.advance({ limit: ROUND, stop, gather }))
        if (round === undefined) return POLL
        if (round.claimed === ROUND && !transport.keepsMails) return 0
        return SHORTEST_BEAT + Math.random() * (LONGEST_BEAT - SHORTEST_BEAT)
      },
      finish: async () => {
        await this.#report(deliver.finish())
      },
      renewLeases: () => deliver.renewLeases(),
    }
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
      if (round.trouble !== undefined) throw round.trouble
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
