import { statSync } from 'node:fs'
import type { OpenService } from '@rollcall/cli'
import type { Caller } from '@rollcall/core'
import { type Composition, compositionIn } from './composition.ts'
import type { Config } from './config.ts'
import { compose } from './container.ts'
import { databaseNameOf, databaseOf, LOCK_PAUSE, OLDER, TO_MIGRATE } from './database.ts'
import { LAST_VERIFICATION, noteDone } from './last-done.ts'
import { commandLog } from './log.ts'
import { asTheService } from './service-settings.ts'
import { StartupError } from './startup-error.ts'
import { resolve, TOKENS } from './tokens.ts'

// Milliseconds: a refusal is on record within a second, however long the command runs.
const FLUSH = 500

// A command has no clients to hold up or to count: what does so need not be loaded.
const NOTHING_FOR_CLIENTS = { CHALLENGE: 'off', RATE_LIMIT: 'off', METRICS_PORT: undefined } as const

/** The service over the storage itself, beside a running server or without one. `operator` asks it. */
export const openForCommands = async (config: Config, operator: Caller): Promise<OpenService> => {
  // In the wrong folder, a new database would be empty, and no server would take its tokens.
  if (config.postgresUrl === undefined && isMissing(config.databaseFile))
    throw new StartupError(
      `There is no database ${config.databaseFile}. Go to the folder of the service or set ROLLCALL_DATA_DIR; or make one here with \`rollcall migrate\`.`,
    )
  if ((await databaseOf(config).pendingMigrations()).length > 0)
    throw new StartupError(`${databaseNameOf(config)} ${OLDER} ${TO_MIGRATE}`)
  const container = compose({ ...config, ...NOTHING_FOR_CLIENTS }, commandLog)
  container.bind(TOKENS.lockPause).toConstantValue(LOCK_PAUSE)
  // What the command asks for next is refused with the reason, and ends it.
  container.bind(TOKENS.onDiskFailure).toConstantValue(() => undefined)
  const composition = await compositionIn(await withServiceSettings(container))
  const { useCases, storage, close } = composition
  noteVerifications(composition)
  let opened: Promise<OpenService['fetch']> | undefined
  const http = (): Promise<OpenService['fetch']> => {
    opened ??= openHttp(composition, operator)
    return opened
  }
  // What a flush cannot write stays gathered; the last one says why.
  const flush = async () => {
    await useCases.refusals.flush()
    await useCases.reads.flush()
  }
  const flushing = setInterval(() => void flush().catch(() => undefined), FLUSH).unref()
  return {
    fetch: async (url, init) => await (await http())(url, init),
    useCases,
    close: async () => {
      clearInterval(flushing)
      try {
        await useCases.refusals.flush()
        await warned('who read lists is not on record', () => useCases.reads.flush({ all: true }))
        await warned('the newest seal of the audit trail was not kept', () => useCases.anchorAudit.execute())
        await storage.completeErasure?.()
      } finally {
        await close()
      }
    },
  }
}

/** With the settings of the service, whatever the environment of the command: they decide on what is stored and shown. */
const withServiceSettings = async (container: ReturnType<typeof compose>) => {
  const { config, storage } = await resolve(container, { config: TOKENS.config, storage: TOKENS.storage })
  try {
    container.rebind(TOKENS.config).toConstantValue(await asTheService(config, storage))
    return container
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** For the metrics of the service, which cannot know otherwise whether somebody still looks. */
const noteVerifications = ({ useCases: { verifyAudit }, storage, clock }: Composition): void => {
  const execute = verifyAudit.execute.bind(verifyAudit)
  verifyAudit.execute = async (command, caller) => {
    const verification = await execute(command, caller)
    const done = { at: clock.now(), well: verification.broken === undefined }
    if (!verification.interrupted)
      await warned('when the trail was verified was not kept', () => noteDone(storage, LAST_VERIFICATION, done))
    return verification
  }
}

// Loaded for the first request: not every command has one, and start-up time is felt.
const openHttp = async (composition: Composition, operator: Caller): Promise<OpenService['fetch']> => {
  const [{ createInProcessFetch }, { httpOptionsOf }] = await Promise.all([
    import('@rollcall/http-koa'),
    import('./http-options.ts'),
  ])
  return createInProcessFetch(httpOptionsOf(composition), operator)
}

/** Does what the command itself, which is done, does not depend on. */
const warned = async (problem: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    commandLog.error({ err: error }, `${problem}: ${(error as Error).message}`)
  }
}

const isMissing = (file: string): boolean => {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined
  } catch {
    // It may be there, out of reach: opening it reports what stands in the way.
    return false
  }
}
