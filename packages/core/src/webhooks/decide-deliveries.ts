import { HOUR, type Instant } from '../instant.ts'
import { isGivenUp, nextAttemptAt } from '../outbox/backoff.ts'
import type { GivenBack } from '../outbox/outbox-store.ts'
import { describeFailure } from '../outbox/outcomes.ts'
import type { DueDelivery } from './claim-deliveries.ts'
import type { DisabledBecause, Webhook } from './webhook.ts'
import type { WebhookAnswer } from './webhook-answer.ts'
import type { WebhookDelivery, WebhookDeliveryId } from './webhook-delivery-store.ts'
import {
  afterFailure,
  afterRefusal,
  afterSuccess,
  isGivenUpOn,
  remembered,
  restingUntil,
  type WebhookProgress,
} from './webhook-progress.ts'
import { WebhookGone, WebhookRefused } from './webhook-transport.ts'

/** What became of a delivery: the target took it, or not at this time for this error, or it was never begun or broken off by this service. */
export type DeliveryOutcome =
  | { readonly due: DueDelivery; readonly is: 'sent'; readonly at: Instant; readonly answer?: SaidAnswer | undefined }
  | { readonly due: DueDelivery; readonly is: 'unbegun'; readonly at: Instant }
  | FailedDelivery

interface FailedDelivery {
  readonly due: DueDelivery
  readonly is: 'failed'
  readonly error: unknown
  readonly answer?: SaidAnswer | undefined
  readonly at: Instant
  /** By chance, from 0 to 1: what failed together does not come back together. */
  readonly fraction: number
}

/** What a target said, with nothing in it of what it was sent. */
export type SaidAnswer = Pick<WebhookAnswer, 'status' | 'head'>

/** What is kept of those that were sent, in the order in which they ended. */
export const answersOf = (outcomes: readonly DeliveryOutcome[]): readonly WebhookAnswer[] =>
  outcomes.flatMap((outcome) => {
    if (outcome.is === 'unbegun') return []
    const { webhook, event, attempts } = outcome.due.delivery
    const { status, head } = outcome.answer ?? { status: undefined, head: undefined }
    const error = outcome.is === 'failed' ? describeFailure(outcome.error) : undefined
    const { position, type, subject } = event
    return [{ webhook, at: outcome.at, position, type, subject, attempt: attempts, status, error, head }]
  })

/** A target as it is stored. */
export interface TargetFacts {
  /** Undefined if it was deleted. */
  readonly webhook: Pick<Webhook, 'url' | 'createdAt' | 'disabled'> | undefined
  readonly progress: WebhookProgress
}

export interface WebhookDeliveryFailure {
  readonly delivery: WebhookDelivery
  readonly error: unknown
  /** Given up; needs manual action. */
  readonly parked: boolean
  /** Why nothing more is sent to the target, if that was decided now. */
  readonly disabled: Exclude<DisabledBecause, 'by-hand'> | undefined
}

/** What is to be stored of some deliveries to one target. */
export interface DeliveryChanges {
  /** The very same if nothing of it changes. */
  readonly progress: WebhookProgress
  readonly settled: readonly WebhookDeliveryId[]
  readonly givenBack: readonly GivenBack[]
  /** As many as have failed; one of them at most disables the target. */
  readonly failures: readonly WebhookDeliveryFailure[]
}

/** No target has any of its events wait longer than this, whatever it asks for. */
const LONGEST_WAIT = 1 * HOUR

const NO_ANSWER: Pick<WebhookRefused, 'status' | 'retryAfter'> = { status: undefined, retryAfter: undefined }
/** Statuses of the kind 4xx that tell of the target, and not of what it was sent. */
const OF_TARGET = [408, 410, 425, 429]

/** Decides what becomes of deliveries, in the order in which they ended, and of the target that they went to. */
export const decideDeliveries = (target: TargetFacts, outcomes: readonly DeliveryOutcome[]): DeliveryChanges => {
  let { progress } = target
  let isDisabled = target.webhook?.disabled !== undefined
  const settled: WebhookDeliveryId[] = []
  const givenBack: GivenBack[] = []
  const failures: WebhookDeliveryFailure[] = []
  for (const outcome of outcomes) {
    const { delivery, isProbe } = outcome.due
    const { id } = delivery
    const isOfTarget = isSame(outcome.due.webhook, target.webhook)
    if (outcome.is === 'sent') {
      if (isOfTarget) progress = afterSuccess(progress, { isProbe, at: outcome.at })
      settled.push(id)
    } else if (outcome.is === 'unbegun' || !isOfTarget) {
      givenBack.push({ id, notBefore: delivery.notBefore, attempted: false })
      if (isProbe && isOfTarget) progress = { ...progress, pausedUntil: Math.min(progress.pausedUntil, outcome.at) }
    } else {
      const { error, at, fraction } = outcome
      const { status = 0, retryAfter = 0 } = error instanceof WebhookRefused ? error : NO_ANSWER
      const asked = at + Math.min(retryAfter, LONGEST_WAIT)
      progress = (isOfEvent(status) ? afterRefusal : afterFailure)(remembered(progress, at), { isProbe, at, fraction })
      if (status === 429 || status === 503) progress = restingUntil(progress, asked)
      const because = error instanceof WebhookGone ? 'gone' : isGivenUpOn(progress, at) ? 'failing' : undefined
      // Events not sent because the target is gone wait with the others.
      const parked = because !== 'gone' && isGivenUp(delivery, at)
      const notBefore = parked ? undefined : Math.max(nextAttemptAt(delivery.attempts, at, fraction), asked)
      givenBack.push({ id, notBefore, attempted: true, error: describeFailure(error) })
      failures.push({ delivery, error, parked, disabled: isDisabled ? undefined : because })
      isDisabled ||= because !== undefined
    }
  }
  return { progress, settled, givenBack, failures }
}

/** Whether what was sent to the one says anything of the other. */
const isSame = (one: Pick<Webhook, 'url' | 'createdAt'>, other: TargetFacts['webhook']): boolean =>
  one.url === other?.url && one.createdAt === other.createdAt

/** Whether the target is there, and does not take this one. */
const isOfEvent = (status: number): boolean => status >= 400 && status < 500 && !OF_TARGET.includes(status)
