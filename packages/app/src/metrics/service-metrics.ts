import type { DeliveryRound, EventDeliveryRound, FunnelMetrics, MailboxRound } from '@rollcall/core'
import type { LoginRefusal } from '@rollcall/http-console/login-refusal'
import type { HttpObserver } from '@rollcall/http-koa/host'

/** Everything that this process counts while it works. Nothing of a person in it, and of each kind only a few. */
export interface ServiceMetrics extends FunnelMetrics, HttpObserver {
  delivered(round: Pick<DeliveryRound, 'sent' | 'failures'>): void
  eventsDelivered(round: Pick<EventDeliveryRound, 'sent' | 'failures'>): void
  reportsRead(round: Pick<MailboxRound, 'left' | 'taken'>): void
  requestsCarriedOut(requests: number): void
  /** A chore of the housekeeper is done, or has failed; also called for each when it begins. */
  choreDone(chore: string, failed: boolean): void
  /** The audit trail was compared with the seal that is kept outside the database. */
  anchorCompared(agrees: boolean): void
  loginRefused(reason: LoginRefusal): void
}

export const NO_SERVICE_METRICS: ServiceMetrics = {
  turnedAway: () => undefined,
  answered: () => undefined,
  delivered: () => undefined,
  eventsDelivered: () => undefined,
  reportsRead: () => undefined,
  requestsCarriedOut: () => undefined,
  choreDone: () => undefined,
  anchorCompared: () => undefined,
  loginRefused: () => undefined,
}
