import type { Server } from 'node:http'
import { createHttpServer, drain } from '@rollcall/http-koa'
import { lockForServing, migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { type Composition, openComposition } from './composition.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { MailFiles } from './mail-files.ts'
import { makeDataDir } from './secret.ts'
import { StartupError } from './startup-error.ts'
import { CompleteErasure, REWRITTEN_AT_THE_END } from './workers/complete-erasure.ts'
import { Housekeeper } from './workers/housekeeper.ts'
import { OutboxWorker } from './workers/outbox-worker.ts'

/**
 * Migrates, serves HTTP and works the outbox until the signal; then finishes what is in flight and leaves nothing
 * half done.
 * @throws {StartupError} it cannot start as it is set up
 */
export const serve = async (config: Config, log: Log, signal: AbortSignal, onReady: () => void): Promise<void> => {
  makeDataDir(config.DATA_DIR)
  const lock = await lockForServing(config.databaseFile)
  try {
    const migrations = await migrateSqlite(config.databaseFile)
    if (migrations.length > 0) log.info({ migrations }, 'the database schema is up to date')
    const composition = await openComposition(config, log)
    try {
      await run(config, log, composition, signal, onReady)
    } finally {
      await composition.close()
    }
  } finally {
    lock.release()
  }
}

// Closing goes the other way round than opening: no new requests, then no more work, then (above) no more storage.
const run = async (config: Config, log: Log, composition: Composition, signal: AbortSignal, onReady: () => void) => {
  const { useCases, storage, transport, bell, keyWatch } = composition
  await storage.releaseLeases()
  let requests = 0
  const server = createHttpServer(httpOptions(config, log, composition))
  server.on('request', () => requests++)
  await listen(server, config)
  const outboxWorker = new OutboxWorker({ deliver: useCases.deliverOutbox, bell, log, requestCount: () => requests })
  const completeErasure = new CompleteErasure(storage, () => requests)
  const sweepMails = async () => {
    if (transport instanceof MailFiles) await transport.sweep(storage.readers)
  }
  const housekeeper = new Housekeeper({ useCases, completeErasure, sweepMails, log })
  keyWatch.start()
  outboxWorker.start()
  housekeeper.start()
  onReady()
  await aborted(signal)
  log.info('stopping: finishing what is in flight')
  await drain(server, config.SHUTDOWN_TIMEOUT)
  await keyWatch.stop()
  await outboxWorker.stop()
  await housekeeper.stop()
  await storage.completeErasure(REWRITTEN_AT_THE_END)
  log.info('stopped')
}

const httpOptions = (config: Config, log: Log, { useCases, jwks }: Composition) => ({
  useCases,
  jwks,
  publicUrl: config.publicUrl,
  trace: config.TRACE === 'on',
  trustProxy: config.TRUST_PROXY,
  corsOrigins: config.CORS_ORIGINS,
  log,
})

const listen = (server: Server, { HOST, PORT }: Config): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const message = `Cannot listen on ${HOST}:${PORT} (${error.code}). ${REMEDY[error.code ?? ''] ?? ''}`
      reject(new StartupError(message.trimEnd(), { cause: error }))
    }
    server.once('error', refuse)
    server.listen(PORT, HOST, () => {
      server.off('error', refuse)
      resolve()
    })
  })

const REMEDY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something else listens there: stop it, or choose another with ROLLCALL_PORT.',
  EACCES: 'This user may not: choose a port above 1023 with ROLLCALL_PORT.',
  EADDRNOTAVAIL: 'This machine has no such address: choose another with ROLLCALL_HOST.',
  ENOTFOUND: 'This name has no address: choose another with ROLLCALL_HOST.',
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
