import path from 'node:path'
import { type Composition, openComposition, readConfig, silentLog } from '@rollcall/app'
import { operator } from '@rollcall/core'
import { lockForServing, migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { newEmailOf } from '../recording/load-client.ts'
import type { Recording } from '../recording/recording.ts'
import { type Found, findAll, type WholeMail } from './found.ts'
import { type Problem, problemsOfErasure, problemsOfMails, problemsOfPerson } from './problems.ts'
import type { Promised } from './promises.ts'

export interface Judged {
  readonly recording: Pick<Recording, 'port' | 'mail'>
  readonly promised: Promised
  readonly wholeMails: ReadonlyMap<string, WholeMail>
  /** Whether to look for leftovers of erased persons as well, which takes longer than all the rest. */
  readonly thoroughly: boolean
}

/** The problems of this disk. The service is started on it, which may change it. */
export const examineState = async (disk: string, judged: Judged): Promise<Problem[]> => {
  const { recording, promised, wholeMails } = judged
  try {
    return await withService(disk, recording, async (service) => {
      const found = await findAll(service)
      return [
        ...found.damage.map((line): Problem => ({ invariant: 'I7', message: `the database is damaged: ${line}` })),
        ...problemsOfMails(found, promised, wholeMails),
        ...problemsOfStrangers(found, promised),
        ...promised.persons.flatMap((person) => [...problemsOfPerson(person, found, judged)]),
        ...(await problemsOfTrail(service)),
        ...(await problemsOfToken(service, promised)),
        ...(judged.thoroughly ? await problemsOfErasure(service, promised.persons) : []),
      ]
    })
  } catch (error) {
    return [{ invariant: 'I7', message: `the service does not start: ${error instanceof Error ? error.stack : error}` }]
  }
}

function* problemsOfStrangers({ subscriptions, users }: Found, { persons }: Promised): Generator<Problem> {
  const known = new Set(persons.flatMap(({ person: { email } }) => [email, newEmailOf(email)]))
  for (const { email } of [...subscriptions, ...users])
    if (!known.has(email)) yield { invariant: 'I2', message: `${email} is in the store and never asked for anything` }
}

const problemsOfTrail = async ({ useCases }: OpenedService): Promise<Problem[]> => {
  const { broken } = await useCases.verifyAudit.execute({}, operator('power-loss'))
  if (broken === undefined) return []
  return [{ invariant: 'I7', message: `the audit trail is ${broken.fault} at record ${broken.sequence}` }]
}

const problemsOfToken = async ({ useCases }: OpenedService, { token }: Promised): Promise<Problem[]> => {
  if (token === undefined) return []
  try {
    await useCases.authenticate.execute({ token, channel: 'http' })
    return []
  } catch (error) {
    return [{ invariant: 'I1', message: `the administrator's token is refused: ${error}` }]
  }
}

export interface OpenedService extends Composition {
  readonly dataDir: string
  readonly databaseFile: string
}

/** Opens the service on this disk as `rollcall serve` does before it listens, and does the work. */
const withService = async <Result>(
  disk: string,
  { port, mail }: Pick<Recording, 'port' | 'mail'>,
  work: (service: OpenedService) => Promise<Result>,
): Promise<Result> => {
  const config = readConfig({
    ROLLCALL_DATA_DIR: path.join(disk, 'data'),
    ROLLCALL_PORT: `${port}`,
    ROLLCALL_RATE_LIMIT: 'off',
    // Nothing listens there, so that no mail is sent during the examination.
    ...(mail === 'smtp' ? { ROLLCALL_SMTP_URL: 'smtp://127.0.0.1:9' } : {}),
  })
  const { DATA_DIR: dataDir, databaseFile } = config
  const lock = await lockForServing(databaseFile)
  try {
    await migrateSqlite(databaseFile)
    const composition = await openComposition(config, silentLog)
    try {
      await composition.storage.releaseLeases?.()
      return await work({ ...composition, dataDir, databaseFile })
    } finally {
      await composition.close()
    }
  } finally {
    lock.release()
  }
}
