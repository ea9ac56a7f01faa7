import { createServer, type RequestListener, type Server } from 'node:http'
import type { Readers, SignUpOutcome } from '@rollcall/core'
import { inTurn, readInSlices } from '@rollcall/http-koa'
import { isLoopback } from '@rollcall/platform-node'
import { Counter, Gauge, type Registry } from 'prom-client'
import { listen } from '../listen.ts'
import type { Service } from '../service.ts'
import { isKnownHost } from './is-known-host.ts'
import { PrometheusMetrics } from './prometheus-metrics.ts'

type Observed = Pick<Service, 'config' | 'log' | 'metrics' | 'readers' | 'clock'>

/**
 * Shows the counters on a port of their own. Undefined where a host service counts, and shows, in its own way.
 * @throws {StartupError} it cannot listen there
 */
export const serveMetrics = async (port: number, observed: Observed): Promise<Server | undefined> => {
  const { log, metrics } = observed
  const host = observed.config.METRICS_HOST
  if (!(metrics instanceof PrometheusMetrics)) return undefined
  observeStorage(metrics.registry, observed)
  const server = createServer(LIMITS, inTurn(answering(metrics.registry, observed)))
  server.on('connection', readInSlices)
  const settings = { hostSetting: 'ROLLCALL_METRICS_HOST', portSetting: 'ROLLCALL_METRICS_PORT' }
  await listen(server, { host, port, ...settings })
  if (!isLoopback(host))
    log.warn({ host, port }, 'metrics are reachable from outside: anyone who reads them can see when a person is new')
  return server
}

const LIMITS = { maxHeaderSize: 8 * 1024, headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 30_000 }
const PATH = '/metrics'
const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' }
const MISDIRECTED =
  'Ask for the metrics by an IP address, as localhost, or by the name that ROLLCALL_METRICS_HOST is set to.\n'

/** `GET /metrics` and nothing else, on a port of its own: counters on a public one would tell who is new. */
const answering = (registry: Registry, { config, log }: Pick<Observed, 'config' | 'log'>): RequestListener => {
  const gather = sharing(() => registry.metrics())
  return async (req, res) => {
    const path = req.url?.split('?')[0]
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Cache-Control', 'no-store')
    if (!isKnownHost(req.headers.host, config.METRICS_HOST)) return void res.writeHead(421, PLAIN).end(MISDIRECTED)
    if (path !== PATH) return void res.writeHead(404).end()
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end()
    try {
      const text = await gather()
      res.writeHead(200, { 'Content-Type': registry.contentType, 'Content-Length': Buffer.byteLength(text) }).end(text)
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be gathered')
      res.writeHead(503, { 'Retry-After': '5' }).end()
    }
  }
}

/** Requests at the same time get the same text: each gathering reads storage, and many would hold up everything else. */
const sharing = (gather: () => Promise<string>): (() => Promise<string>) => {
  let running: Promise<string> | undefined
  return () => {
    running ??= gather().finally(() => {
      running = undefined
    })
    return running
  }
}

const OUTCOMES = {
  honeypot: 0,
  suppressed: 0,
  expired: 0,
  'unknown-address': 0,
  'held-back': 0,
} as const satisfies Record<SignUpOutcome, 0>

type Queue = Pick<Readers['outbox'], 'depth' | 'health'>

/** Adds what storage knows: looked up at each request for it, and the same on every instance. */
const observeStorage = (registry: Registry, { readers, clock }: Pick<Observed, 'readers' | 'clock'>): void => {
  const registers = [registry]
  const queues = [
    {
      queue: readers.outbox as Queue,
      count: 'rollcall_outbox_mails',
      counted: 'Mails that wait, and mails that are parked for a person to look at.',
      age: 'rollcall_outbox_oldest_due_seconds',
      aged: 'For how long the mail that is overdue the longest has been due; 0 where none is.',
    },
    {
      queue: readers.webhookDeliveries as Queue,
      count: 'rollcall_webhook_events',
      counted: 'Events that wait to be sent to a target, and events that are parked for a person to look at.',
      age: 'rollcall_webhook_oldest_due_seconds',
      aged: 'For how long the event that is overdue the longest has been due to a target; 0 where none is.',
    },
  ]
  for (const { queue, count, counted, age, aged } of queues) {
    new Gauge({
      name: count,
      help: counted,
      labelNames: ['state'],
      registers,
      async collect() {
        const { waiting, parked } = await queue.depth()
        this.set({ state: 'waiting' }, waiting)
        this.set({ state: 'parked' }, parked)
      },
    })
    new Gauge({
      name: age,
      help: aged,
      registers,
      async collect() {
        const { dueSince } = await queue.health()
        this.set(dueSince === undefined ? 0 : Math.max(0, clock.now() - dueSince) / 1_000)
      },
    })
  }
  new Counter({
    name: 'rollcall_signup_outcomes_total',
    help: 'Sign-ups by what became of them since the database was made, kept over restarts.',
    labelNames: ['outcome'],
    registers,
    async collect() {
      const outcomes = Object.keys(OUTCOMES) as SignUpOutcome[]
      const counts = await Promise.all(outcomes.map((outcome) => readers.signUpCounts.count(outcome)))
      this.reset()
      for (const [i, outcome] of outcomes.entries()) this.inc({ outcome }, counts[i] ?? 0)
    },
  })
}
