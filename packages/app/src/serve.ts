import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ExitCode } from '@rollcall/cli'
import { announceDeparture, createHttpServer, drain } from '@rollcall/http-koa'
import { isLoopback } from '@rollcall/platform-node'
import type { Config } from './config.ts'
import { compose } from './container.ts'
import { listen } from './listen.ts'
import type { Log } from './log.ts'
import type { ServedConsole } from './serve-console.ts'
import { openService, type Service } from './service.ts'
import { TOKENS } from './tokens.ts'

/**
 * Migrates, serves HTTP and sends mails and events until the signal; then finishes what is in flight and leaves nothing
 * half done. If the disk fails, the process ends at once.
 * @throws {OperatorError} it cannot start as it is set up
 */
export const serve = async (config: Config, log: Log, signal: AbortSignal, onReady: () => void): Promise<void> => {
  const container = compose(config, log)
  container.bind(TOKENS.onDiskFailure).toConstantValue((error) => {
    log.error({ err: error }, error.message)
    // At once: nothing that goes on could be kept, and the next process may not begin before this one has ended.
    process.exit(ExitCode.unusable)
  })
  const service = await openService(container, signal).catch((error: unknown) => {
    if (!isAbort(error)) throw error
  })
  if (service === undefined) return log.info('stopped while it waited for the database')
  try {
    warn(config, log)
    const metricsServer = await metricsServerOf(service)
    let served: ServedConsole | undefined
    try {
      served = await consoleOf(service)
      await answerUntil(signal, service, served, onReady)
    } finally {
      await served?.close(0)
      metricsServer?.close()
      metricsServer?.closeAllConnections()
    }
  } finally {
    await service.close()
  }
  log.info('stopped')
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

const metricsServerOf = async (service: Service): Promise<Server | undefined> => {
  const port = service.config.METRICS_PORT
  if (port === undefined) return undefined
  const { serveMetrics } = await import('./metrics/serve-metrics.ts')
  return await serveMetrics(port, service)
}

const consoleOf = async (service: Service): Promise<ServedConsole | undefined> =>
  service.config.CONSOLE_PORT === undefined
    ? undefined
    : await (await import('./serve-console.ts')).serveConsole(service)

// Closing goes the other way round than opening: no new requests, then no more work, then no more storage.
const answerUntil = async (
  signal: AbortSignal,
  service: Service,
  served: ServedConsole | undefined,
  onReady: () => void,
): Promise<void> => {
  const { config, log } = service
  const server = createHttpServer(service.httpOptions)
  const settings = { hostSetting: 'ROLLCALL_HOST', portSetting: 'ROLLCALL_PORT' }
  await service.start(server)
  await listen(server, { host: config.HOST, port: config.PORT, ...settings })
  onReady()
  if (!signal.aborted) await once(signal, 'abort')
  announceDeparture(server)
  await sleep(config.SHUTDOWN_DELAY)
  log.info('stopping: finishing what is in flight')
  const begun = performance.now()
  // A request may take all the time that there is, and what is begun then is cut off.
  service.stopSending()
  await Promise.all([drain(server, config.SHUTDOWN_TIMEOUT), served?.close(config.SHUTDOWN_TIMEOUT)])
  await service.close(Math.max(0, config.SHUTDOWN_TIMEOUT - (performance.now() - begun)))
}

// Browsers derive keys in a secure context only.
const warn = ({ CHALLENGE, publicUrl }: Config, log: Log): void => {
  const { protocol, hostname } = new URL(publicUrl)
  if (CHALLENGE === 'altcha' && protocol === 'http:' && !isLoopback(hostname))
    log.warn('browsers solve challenges over https only: forms cannot be sent until ROLLCALL_PUBLIC_URL begins with it')
}
