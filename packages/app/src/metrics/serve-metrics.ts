import type { Server } from 'node:http'
import type { Clock, Readers } from '@rollcall/core'
import { isLoopback } from '@rollcall/platform-node'
import type { Config } from '../config.ts'
import { listen } from '../listen.ts'
import type { Log } from '../log.ts'
import type { ServiceMetrics } from './service-metrics.ts'

export interface Observed {
  readonly metrics: ServiceMetrics
  readonly readers: Readers
  readonly clock: Clock
}

/**
 * Shows the counters on a port of their own, where one is configured.
 * @throws {StartupError} it cannot listen there
 */
export const serveMetrics = async (config: Config, log: Log, observed: Observed): Promise<Server | undefined> => {
  const { METRICS_PORT: port, METRICS_HOST: host } = config
  if (port === undefined) return undefined
  const [{ PrometheusMetrics }, { observeStorage }, { createMetricsServer }] = await Promise.all([
    import('./prometheus-metrics.ts'),
    import('./observe-storage.ts'),
    import('./metrics-server.ts'),
  ])
  const { metrics, readers, clock } = observed
  // A host service that counts in its own way also shows it in its own way.
  if (!(metrics instanceof PrometheusMetrics)) return undefined
  observeStorage(metrics.registry, readers, clock)
  const server = createMetricsServer(metrics.registry, log)
  const settings = { hostSetting: 'ROLLCALL_METRICS_HOST', portSetting: 'ROLLCALL_METRICS_PORT' }
  await listen(server, { host, port, ...settings })
  if (!isLoopback(host))
    log.warn({ host, port }, 'metrics are reachable from outside: anyone who reads them can see when a person is new')
  return server
}
