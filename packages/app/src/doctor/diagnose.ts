import { CliError, type Diagnosis, ExitCode } from '@rollcall/cli'
import { type Clock, parseEmailAddress } from '@rollcall/core'
import { nodeDomainNames, systemClock } from '@rollcall/platform-node'
import { StorageNotUsable } from '@rollcall/storage-sql/storage-not-usable'
import { type Config, examineConfig, readEnvironment } from '../config.ts'
import { databaseOf } from '../database.ts'
import { asTheService } from '../service-settings.ts'
import { findingsOnSettings } from '../trusted-files.ts'
import { type Check, type CheckContext, type Finding, failed, ok, trustFinding } from './check.ts'
import { checkConsole } from './check-console.ts'
import {
  checkDisk,
  checkFolder,
  checkLinkKeys,
  checkSecret,
  checkSettings,
  checkStorage,
  checkTrail,
} from './check-data.ts'
import { checkEvents, checkOutbox, checkSignUps } from './check-deliveries.ts'
import { checkFeedback } from './check-feedback.ts'
import { checkGivenToken } from './check-given-token.ts'
import { checkRelay, checkSender, checkWords } from './check-mail.ts'
import { checkClients, checkPublicUrl, checkServer } from './check-requests.ts'
import { checkClock, checkTokens } from './check-tokens.ts'

const CHECKS: readonly Check[] = [
  ...[checkFolder, checkDisk, checkStorage, checkSecret, checkLinkKeys, checkSettings, checkTokens, checkGivenToken],
  ...[checkTrail, checkSignUps, checkOutbox, checkEvents, checkClock],
  ...[checkRelay, checkSender, checkFeedback, checkPublicUrl, checkClients, checkWords, checkServer, checkConsole],
]

interface DiagnosisOptions {
  readonly sendTo: string | undefined
  /** An access token to explain. */
  readonly token?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  /** That of this machine. */
  readonly clock?: Clock | undefined
}

/**
 * Looks at everything that a service needs, one after another, and changes nothing.
 * @throws {InvalidInput} no mail can go to `sendTo`
 * @throws {StartupError} the configuration cannot be read
 * @throws {CliError} it is not valid, which was reported before
 */
export async function* diagnose({
  token,
  clock: ownClock = systemClock,
  ...given
}: DiagnosisOptions): AsyncGenerator<Diagnosis> {
  const sendTo =
    given.sendTo === undefined ? undefined : parseEmailAddress(given.sendTo, nodeDomainNames, 'send-to').value
  const environment = given.environment ?? readEnvironment()
  const { config: own, problems } = examineConfig(environment)
  if (own === undefined) {
    yield* problems.map((problem) => named('configuration', failed(problem)))
    throw new CliError('Nothing else can be checked before the configuration is right.', NOT_VALID)
  }
  yield named('configuration', ok('Every setting is known, and has a value that it can have.'))
  yield* findingsOnSettings(environment).map((finding) => named('configuration', trustFinding(finding)))
  const look = await examine(own)
  const { storage } = look
  const current = storage?.missing.length === 0 ? storage : undefined
  const config = current === undefined ? own : await asTheService(own, current)
  const context = { ...look, current, config, own, clock: storage?.clock ?? ownClock, ownClock, sendTo, token }
  try {
    for (const check of CHECKS) yield* await findingsOf(check, context)
  } finally {
    await storage?.close()
  }
}

const NOT_VALID = { name: 'ConfigurationNotValid', exitCode: ExitCode.unusable }

const named = (check: string, finding: Finding): Diagnosis => ({ check, ...finding })

const findingsOf = async (check: Check, context: CheckContext): Promise<readonly Diagnosis[]> =>
  (await check.run(context).catch(unforeseen)).map((finding) => named(check.name, finding))

const examine = async (config: Config): Promise<Pick<CheckContext, 'storage' | 'storageProblem'>> => {
  try {
    return { storage: await databaseOf(config).examine(), storageProblem: undefined }
  } catch (error) {
    const absent = error instanceof StorageNotUsable && error.problem === 'older-schema'
    const message = error instanceof Error ? error.message : String(error)
    return { storage: undefined, storageProblem: failed(message, absent ? NO_DATABASE : undefined) }
  }
}

const NO_DATABASE =
  'Go to the folder of the service, or set ROLLCALL_DATA_DIR; or make one here with `rollcall migrate`.'

/** What a check did not foresee is a finding, too: the others still have to be made. */
const unforeseen = (error: unknown): readonly Finding[] =>
  isToldOfTheFolder(error) ? [] : [failed(error instanceof Error ? error.message : String(error))]

/** One cause is one line: who else can reach the files of the data folder, its own check says of all of them. */
const isToldOfTheFolder = (error: unknown): boolean =>
  error instanceof Error && typeof error.cause === 'object' && error.cause !== null && 'refused' in error.cause
