import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import { guardServer, isLoopback } from '@rollcall/platform-node'
import type { Registry } from 'prom-client'
import { listen } from '../listen.ts'
import type { Service } from '../service.ts'
import { isKnownHost } from './is-known-host.ts'
import { observeOperation } from './operating-metrics.ts'
import { PrometheusMetrics } from './prometheus-metrics.ts'
import { sharing } from './sharing.ts'
import { observeStorage } from './storage-metrics.ts'

type Observed = Pick<Service, 'config' | 'log' | 'metrics' | 'readers' | 'clock' | 'storage'>

/**
 * Shows the counters on a port of their own. Undefined if a host service counts, and shows, in its own way.
 * @throws {StartupError} it cannot listen there
 */
export const serveMetrics = async (port: number, observed: Observed): Promise<Server | undefined> => {
  const { log, metrics } = observed
  const host = observed.config.METRICS_HOST
  if (!(metrics instanceof PrometheusMetrics)) return undefined
  // How connections are used is seen before the looks of the others use them.
  observeOperation(metrics.registry, observed)
  observeStorage(metrics.registry, observed)
  const server = createServer(LIMITS)
  guardServer(server, answering(metrics.registry, observed), ALLOW.Allow, (status) => `${STATUS_CODES[status]}\n`)
  const settings = { hostSetting: 'ROLLCALL_METRICS_HOST', portSetting: 'ROLLCALL_METRICS_PORT' }
  await listen(server, { host, port, ...settings })
  if (!isLoopback(host))
    log.warn({ host, port }, 'metrics are reachable from outside: anyone who reads them can see when a person is new')
  return server
}

const LIMITS = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 5_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
}
const PATH = '/metrics'
const ALLOW = { Allow: 'GET, HEAD' }
const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' }
const MISDIRECTED =
  'Ask for the metrics by an IP address, as localhost, or by the name that ROLLCALL_METRICS_HOST is set to.\n'

/** `GET /metrics` and nothing else, on a port of its own: counters on a public one would tell who is new. */
const answering = (registry: Registry, { config, log }: Pick<Observed, 'config' | 'log'>): RequestListener => {
  const gather = sharing(() => textOf(registry, log))
  return async (req, res) => {
    const path = req.url?.split('?')[0]
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Cache-Control', 'no-store')
    if (!isKnownHost(req.headers.host, config.METRICS_HOST)) return void res.writeHead(421, PLAIN).end(MISDIRECTED)
    if (path !== PATH) return void res.writeHead(404).end()
    if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, ALLOW).end()
    const text = await gather()
    // The body of the request has turned out to be broken meanwhile, or came too slowly: the guard has refused it.
    if (res.headersSent) return
    res.writeHead(200, { 'Content-Type': registry.contentType, 'Content-Length': Buffer.byteLength(text) }).end(text)
  }
}

/** What cannot be gathered is left out, and the rest is there: it is needed the most while something fails. */
const textOf = async (registry: Registry, log: Observed['log']): Promise<string> => {
  const metrics = registry.getMetricsAsArray()
  const gathered = await Promise.allSettled(metrics.map(({ name }) => registry.getSingleMetricAsString(name)))
  const failed = gathered.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failed.length > 0) log.warn({ err: failed[0] }, `${failed.length} of the metrics could not be gathered`)
  return `${gathered.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])).join('\n\n')}\n`
}
