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
 * another one queued a mail. A backlog is worked without a pause, but not if the thread of the requests writes files.
 */
export const outboxWorker = ({ deliver, transport, metrics, log }: Options): DeliveryLoop => {
  // What was sent within a beat is stored together.
  const window = new BatchWindow(SHORTEST_BEAT)
  const report = async (working: Promise<DeliveryRound>): Promise<DeliveryRound | undefined> => {
    try {
      const round = await working
      metrics.delivered(round)
      for (const failure of round.failures) tell(log, failure)
      if (round.sent > 0) log.debug({ sent: round.sent }, 'mails sent')
      if (round.trouble !== undefined) throw round.trouble
      return round
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be worked; trying again')
      return undefined
    }
  }
  const rounds: Rounds = {
    next: async (stop) => {
      const round = await report(deliver.advance({ limit: ROUND, stop, gather: () => window.join() }))
      if (round === undefined) return POLL
      if (round.claimed === ROUND && !transport.keepsMails) return 0
      return SHORTEST_BEAT + Math.random() * (LONGEST_BEAT - SHORTEST_BEAT)
    },
    finish: async () => void (await report(deliver.finish())),
    renewLeases: () => deliver.renewLeases(),
  }
  return new DeliveryLoop(rounds, log)
}

const tell = (log: Log, { entry, error, parked }: DeliveryRound['failures'][number]): void => {
  const { id: outbox, subscriptionId: subscription, attempts } = entry
  const fields = { outbox, subscription, attempts, reason: reasonOf(error) }
  if (parked) log.error(fields, 'a mail was refused and is parked: see `rollcall outbox list`')
  else if (error instanceof MailUnanswered)
    log.warn(fields, 'a mail may have been delivered, as the relay did not answer: a copy waits for the caps')
  else log.warn(fields, 'a mail could not be sent and will be tried again')
}

// A relay's answer may hold the address; the log must not. The whole answer is in the outbox, without the address.
const reasonOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown'
