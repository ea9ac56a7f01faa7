import { operator } from '@rollcall/core'
import type { Recording } from '../recording/recording.ts'
import { type Found, findAll } from './found.ts'
import { type OpenedService, withService } from './opened-service.ts'
import type { Problem } from './problem.ts'
import { problemsOfErasure } from './problems-of-erasure.ts'
import { problemsOfMails } from './problems-of-mails.ts'
import { problemsOfPerson } from './problems-of-person.ts'
import type { Promised } from './promises.ts'
import type { WholeMail } from './whole-mails.ts'

export interface Judged {
  readonly recording: Pick<Recording, 'port' | 'mail'>
  readonly promised: Promised
  readonly wholeMails: ReadonlyMap<string, WholeMail>
  /** Whether what a start cleans up is looked for as well, which takes longer than all the rest. */
  readonly thoroughly: boolean
}

/** What is wrong with what is on this disk after a loss of power; the service is started on it, which may change it. */
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
  const known = new Set(persons.map(({ person }) => person.email))
  for (const { email } of [...subscriptions, ...users])
    if (!known.has(email)) yield { invariant: 'I2', message: `${email} is there, and never asked for anything` }
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
