import { setTimeout as sleep } from 'node:timers/promises'
import { announceDeparture, createHttpServer, drain } from '@rollcall/http-koa'
import { type Composition, openComposition } from './composition.ts'
import { type Config, isLoopback } from './config.ts'
import { databaseOf } from './database.ts'
import { listen } from './listen.ts'
import type { Log } from './log.ts'
import { MailFiles } from './mail-files.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { openPages } from './pages.ts'
import { makeDataDir } from './secret.ts'
import { EventWorker } from './workers/event-worker.ts'
import { Housekeeper } from './workers/housekeeper.ts'
import { OutboxWorker } from './workers/outbox-worker.ts'
import { RequestsUnderway } from './workers/requests-underway.ts'

/**
 * Migrates, serves HTTP and sends mails and events until the signal; then finishes what is in flight and leaves nothing
 * half done.
 * @throws {StartupError} it cannot start as it is set up
 */
export const serve = async (config: Config, log: Log, signal: AbortSignal, onReady: () => void): Promise<void> => {
  makeDataDir(config.DATA_DIR)
  const database = databaseOf(config)
  const lock = await database.lockForServing()
  try {
    const migrations = await database.migrate()
    if (migrations.length > 0) log.info({ migrations }, 'the database schema is up to date')
    const composition = await openComposition(config, log)
    try {
      warn(config, log)
      const metricsServer = await serveMetrics(config, log, composition)
      try {
        await run(config, log, composition, signal, onReady)
      } finally {
        metricsServer?.close()
        metricsServer?.closeAllConnections()
      }
    } finally {
      await composition.close()
    }
  } finally {
    lock.release()
  }
}

// Closing goes the other way round than opening: no new requests, then no more work, then (above) no more storage.
const run = async (config: Config, log: Log, composition: Composition, signal: AbortSignal, onReady: () => void) => {
  const { useCases, storage, transport, webhookTransport, steadyClock, bell, keyWatch, metrics } = composition
  if (transport instanceof MailFiles) await transport.belongTo(storage)
  await storage.releaseLeases?.()
  const server = createHttpServer(httpOptions(config, log, composition))
  const requests = new RequestsUnderway(server)
  const settings = { hostSetting: 'ROLLCALL_HOST', portSetting: 'ROLLCALL_PORT' }
  await listen(server, { host: config.HOST, port: config.PORT, ...settings })
  const outboxWorker = new OutboxWorker({ deliver: useCases.deliverOutbox, bell, metrics, log, requests })
  const eventWorker = new EventWorker({ deliver: useCases.deliverEvents, metrics, log, requests })
  const sweepMails = async () => {
    if (transport instanceof MailFiles) await transport.sweep(storage.readers)
  }
  const housekeeper = new Housekeeper({ useCases, storage, sweepMails, steadyClock, log })
  keyWatch.start()
  outboxWorker.start()
  eventWorker.start()
  housekeeper.start()
  onReady()
  await aborted(signal)
  announceDeparture(server)
  await sleep(config.SHUTDOWN_DELAY)
  log.info('stopping: finishing what is in flight')
  // An event that its target has not answered for by then is sent again, by whoever goes on.
  const breakOff = setTimeout(() => webhookTransport.close(), config.SHUTDOWN_TIMEOUT)
  await drain(server, config.SHUTDOWN_TIMEOUT)
  await keyWatch.stop()
  await Promise.all([outboxWorker.stop(), eventWorker.stop()])
  clearTimeout(breakOff)
  await housekeeper.stop()
  await storage.completeErasure?.()
  log.info('stopped')
}

// Browsers derive keys in a secure context only.
const warn = ({ CHALLENGE, publicUrl }: Config, log: Log): void => {
  const { protocol, hostname } = new URL(publicUrl)
  if (CHALLENGE === 'altcha' && protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    log.warn('browsers solve challenges over https only: nobody can sign up until ROLLCALL_PUBLIC_URL begins with it')
}

const httpOptions = (config: Config, log: Log, { useCases, jwks, rateLimiter, metrics }: Composition) => ({
  useCases,
  jwks,
  publicUrl: config.publicUrl,
  trace: config.TRACE === 'on',
  trustProxy: config.TRUST_PROXY,
  corsOrigins: config.CORS_ORIGINS,
  pages: openPages(config),
  rateLimiter,
  funnel: metrics,
  observer: config.METRICS_PORT === undefined ? undefined : metrics,
  log,
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
