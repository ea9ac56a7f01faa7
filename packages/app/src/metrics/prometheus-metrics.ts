import {
  type DeliveryRound,
  type EventDeliveryRound,
  type MailboxRound,
  TURNED_AWAY_BY,
  type TurnedAwayBy,
} from '@rollcall/core'
import { LOGIN_REFUSALS, type LoginRefusal } from '@rollcall/http-console/login-refusal'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ServiceMetrics } from './service-metrics.ts'

const DELIVERIES = ['sent', 'failed', 'parked'] as const

/** Any other is one of some thirty methods that no client of this service uses. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

/** Seconds; the first is what the fastest answers take, the last what a client hardly waits for. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Up to the longest batch. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** Counts for Prometheus, with what Node says of its own process. */
export class PrometheusMetrics implements ServiceMetrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]
  readonly #turnedAway = this.#counter(
    'rollcall_signups_turned_away_total',
    'Forms that a rule turned away, or kept without effect.',
    'rule',
  )
  readonly #mails = this.#counter(
    'rollcall_mails_total',
    'Mails sent, tried and to be tried again, or parked for a person to look at.',
    'outcome',
  )
  readonly #events = this.#counter(
    'rollcall_webhook_events_total',
    'Attempts to send an event to a target: sent, to be tried again, or parked for a person to look at.',
    'outcome',
  )
  readonly #reports = this.#counter(
    'rollcall_mailbox_reports_total',
    'Messages in the mailbox of reports: taken, or left because they are no reports on our mails.',
    'outcome',
  )
  readonly #requests = this.#counter(
    'rollcall_http_requests_total',
    'Requests answered, by the pattern of their path.',
    'route',
    'method',
    'status',
  )
  readonly #refusedLogins = this.#counter(
    'rollcall_console_logins_refused_total',
    'Logins to the console that were refused, by the reason.',
    'reason',
  )
  readonly #batches = new Histogram({
    name: 'rollcall_signup_batch_requests',
    help: 'How many accepted requests of the public were carried out together.',
    buckets: BATCHES,
    registers: this.#registers,
  })
  readonly #choresDone = new Gauge({
    name: 'rollcall_chore_success_timestamp_seconds',
    help: 'When what has to be done from time to time was last done; at first, when the process began with it.',
    labelNames: ['chore'],
    registers: this.#registers,
  })
  readonly #choresFailed = this.#counter(
    'rollcall_chore_failures_total',
    'How often something that has to be done from time to time failed.',
    'chore',
  )
  /** Not among the metrics before anything was compared: an alert that stands would end with each start. */
  readonly #anchor = new Gauge({
    name: 'rollcall_audit_anchor_agrees',
    help: '1 if the audit trail goes with the seal that is kept outside the database; otherwise 0.',
    registers: [],
  })
  readonly #durations = new Histogram({
    name: 'rollcall_http_request_duration_seconds',
    help: 'From when a request was read until its answer was ready.',
    labelNames: ['route', 'method'],
    buckets: BUCKETS,
    registers: this.#registers,
  })

  constructor() {
    // Each begins at zero, so that its first rise is seen.
    for (const rule of TURNED_AWAY_BY) this.#turnedAway.inc({ rule }, 0)
    for (const reason of LOGIN_REFUSALS) this.#refusedLogins.inc({ reason }, 0)
    for (const outcome of DELIVERIES) {
      this.#mails.inc({ outcome }, 0)
      this.#events.inc({ outcome }, 0)
    }
    this.reportsRead({ taken: 0, left: 0 })
    collectDefaultMetrics({ register: this.registry })
  }

  #counter<Label extends string>(name: string, help: string, ...labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] })
  }

  turnedAway(rule: TurnedAwayBy): void {
    this.#turnedAway.inc({ rule })
  }

  answered(route = 'none', method: string, status: number, seconds: number): void {
    const known = METHODS.has(method) ? method : 'other'
    this.#requests.inc({ route, method: known, status })
    this.#durations.observe({ route, method: known }, seconds)
  }

  reportsRead({ taken, left }: Pick<MailboxRound, 'left' | 'taken'>): void {
    this.#reports.inc({ outcome: 'taken' }, taken)
    this.#reports.inc({ outcome: 'left' }, left)
  }

  requestsCarriedOut(requests: number): void {
    this.#batches.observe(requests)
  }

  choreDone(chore: string, failed: boolean): void {
    this.#choresFailed.inc({ chore }, failed ? 1 : 0)
    if (!failed) this.#choresDone.setToCurrentTime({ chore })
  }

  anchorCompared(agrees: boolean): void {
    this.registry.registerMetric(this.#anchor)
    this.#anchor.set(agrees ? 1 : 0)
  }

  loginRefused(reason: LoginRefusal): void {
    this.#refusedLogins.inc({ reason })
  }

  delivered(round: Pick<DeliveryRound, 'sent' | 'failures'>): void {
    count(this.#mails, round)
  }

  eventsDelivered(round: Pick<EventDeliveryRound, 'sent' | 'failures'>): void {
    count(this.#events, round)
  }
}

interface Outcomes {
  readonly sent: number
  readonly failures: readonly { readonly parked: boolean }[]
}

const count = (counter: Counter<'outcome'>, { sent, failures }: Outcomes): void => {
  const parked = failures.filter((failure) => failure.parked).length
  counter.inc({ outcome: 'sent' }, sent)
  counter.inc({ outcome: 'parked' }, parked)
  counter.inc({ outcome: 'failed' }, failures.length - parked)
}
