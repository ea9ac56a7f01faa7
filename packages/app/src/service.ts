import type { Server } from 'node:http'
import type { HttpOptions } from '@rollcall/http-koa/host'
import { requireAnchorPlace } from './audit-anchor-file.ts'
import { type Composition, compositionIn } from './composition.ts'
import { databaseOf } from './database.ts'
import { httpOptionsOf } from './http-options.ts'
import { MailFiles } from './mail-files.ts'
import { makeDataDir } from './secret.ts'
import { noteServiceSettings } from './service-settings.ts'
import { type Resolver, TOKENS } from './tokens.ts'
import { findingsOnData, requireTrust } from './trusted-files.ts'
import { eventWorker } from './workers/event-worker.ts'
import { Housekeeper } from './workers/housekeeper.ts'
import { outboxWorker } from './workers/outbox-worker.ts'
import { RequestsInFlight } from './workers/requests-in-flight.ts'

/** Rollcall in this process: its use cases, and the work that goes on beside requests. */
export interface Service extends Composition {
  /** What `createRouter` and `createApp` of `@rollcall/http-koa` take. */
  readonly httpOptions: HttpOptions
  /**
   * Begins to send mails and events, and to do what has to be done from time to time: erasing what is over, sealing the
   * audit trail, writing refusals into it. If a server is given, its requests go first. The commands beside go by the
   * settings of this service from now on, or from when the server listens.
   */
  start(server?: Pick<Server, 'on' | 'listening'>): Promise<void>
  /** Finishes the mails and events in hand, and begins no other. Requests may go on: what they ask for is stored. */
  stopSending(): void
  /**
   * Finishes what is under way, and closes everything that was opened. To be called when requests have ended. A mail or an
   * event that was not taken after `atMost` milliseconds is broken off, and tried again by whichever instance goes on.
   */
  close(atMost?: number): Promise<void>
}

/**
 * Brings the database up to date, keeps other services from it if it is a file, and opens what is bound in the
 * container. The signal ends the waiting for a database that others use, by an `AbortError`.
 * @throws {StartupError} or `StorageNotUsable`: it cannot start as it is set up; the message says what to do
 */
export const openService = async (container: Resolver, signal?: AbortSignal): Promise<Service> => {
  const config = await container.getAsync(TOKENS.config)
  const log = await container.getAsync(TOKENS.log)
  for (const warning of requireTrust(findingsOnData(config))) log.warn(warning)
  makeDataDir(config.DATA_DIR)
  requireAnchorPlace(config)
  const database = databaseOf(config)
  const lock = await database.lockForServing()
  try {
    const migrations = await database.migrate({ onWait: (text) => log.warn(text), signal })
    if (migrations.length > 0) log.info({ migrations }, 'the database schema is up to date')
    const composition = await compositionIn(container)
    try {
      return serviceOf(composition, () => lock.release())
    } catch (error) {
      await composition.close()
      throw error
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const serviceOf = (composition: Composition, release: () => void): Service => {
  const { config, log, storage, transport, webhookTransport, keyWatch, linkKeyWatch } = composition
  const httpOptions = httpOptionsOf(composition)
  // Whoever answers requests must know of keys that were revoked.
  keyWatch.start()
  linkKeyWatch.start()
  let isStarted = false
  let workers: Workers | undefined
  let noting: Promise<void> | undefined
  let closing: Promise<void> | undefined
  const noteSettings = (): Promise<void> => noteServiceSettings(config, storage, log)
  const noteSettingsLater = (): void => {
    noting = noteSettings().catch((error: unknown) => {
      log.error({ err: error }, 'the settings could not be noted: commands do not go by those of this service')
    })
  }
  const close = async (atMost: number): Promise<void> => {
    const breakOff = setTimeout(() => {
      void webhookTransport.close()
      transport.close().catch((error: unknown) => log.warn({ err: error }, 'the mail transport could not be closed'))
    }, atMost)
    try {
      await Promise.all([keyWatch.stop(), linkKeyWatch.stop(), noting])
      await (workers?.stop() ?? flushGathered(composition))
      await storage.completeErasure?.()
    } finally {
      clearTimeout(breakOff)
      await composition.close().finally(release)
    }
  }
  return {
    ...composition,
    httpOptions,
    start: async (server) => {
      if (isStarted) throw new Error('The service was started before.')
      isStarted = true
      if (transport instanceof MailFiles) await transport.belongTo(storage)
      await storage.releaseLeases?.()
      // One that cannot listen has no say in what commands do.
      if (server?.listening === false) server.on('listening', noteSettingsLater)
      else await noteSettings()
      workers = startWorkers(composition, server)
    },
    stopSending: () => workers?.stopSending(),
    close: (atMost = config.SHUTDOWN_TIMEOUT) => {
      closing ??= close(atMost)
      return closing
    },
  }
}

/** What is written from time to time, of a service that was not started. */
const flushGathered = async ({ useCases, log }: Composition): Promise<void> => {
  try {
    await useCases.refusals.flush()
    await useCases.reads.flush({ all: true })
    await useCases.uses.flush()
  } catch (error) {
    log.error({ err: error }, 'refusals, reads, or who was seen could not be written')
  }
}

interface Workers {
  stopSending(): void
  stop(): Promise<void>
}

const NO_SERVER = { on: () => undefined }

const startWorkers = (composition: Composition, server: Pick<Server, 'on'> = NO_SERVER as never): Workers => {
  const { useCases, storage, transport, reportMailbox, jumpGuardedClock } = composition
  const { requestWorker, metrics, log } = composition
  const requests = new RequestsInFlight(server)
  const mails = outboxWorker({ deliver: useCases.deliverOutbox, transport, metrics, log })
  const events = eventWorker({ deliver: useCases.deliverEvents, metrics, log, requests })
  const sweepMails = async () => {
    if (transport instanceof MailFiles) await transport.sweep(storage.readers)
  }
  const housekeeper = new Housekeeper({
    useCases,
    storage,
    sweepMails,
    jumpGuardedClock,
    metrics,
    log,
  })
  requestWorker.start({ useCases, metrics, log })
  mails.start()
  events.start()
  housekeeper.start()
  return {
    stopSending: () => {
      void mails.stop()
      void events.stop()
    },
    stop: async () => {
      const housekept = housekeeper.stop()
      // Only now, as no round begins any more.
      reportMailbox?.close()
      await Promise.all([requestWorker.stop(), mails.stop(), events.stop(), housekept])
      // What the others did meanwhile.
      await housekeeper.stop()
    },
  }
}
