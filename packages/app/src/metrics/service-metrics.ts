import type { DeliveryRound, EventDeliveryRound, FunnelMetrics, MailboxRound } from '@rollcall/core'
import type { LoginRefusal } from '@rollcall/http-console/login-refusal'
import type { HttpObserver } from '@rollcall/http-koa/host'

/** Everything that this process counts while it works. Nothing of a person in it, and of each kind only a few. */
export interface ServiceMetrics extends FunnelMetrics, HttpObserver {
  /** What one round of working the outbox did. */
  delivered(round: Pick<DeliveryRound, 'sent' | 'failures'>): void
  /** The same of events. */
  eventsDelivered(round: Pick<EventDeliveryRound, 'sent' | 'failures'>): void
  /** What one round of reading the mailbox of reports did. */
  reportsRead(round: Pick<MailboxRound, 'left' | 'taken'>): void
  /** A login to the console was refused. */
  loginRefused(reason: LoginRefusal): void
}

/** Where no port is configured to show them on. */
export const NO_SERVICE_METRICS: ServiceMetrics = {
  turnedAway: () => undefined,
  answered: () => undefined,
  delivered: () => undefined,
  eventsDelivered: () => undefined,
  reportsRead: () => undefined,
  loginRefused: () => undefined,
}
