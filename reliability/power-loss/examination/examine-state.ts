import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { operator } from '@rollcall/core'
import type { Recording } from '../recording/recording.ts'
import { type Found, findAll } from './found.ts'
import { type OpenedService, withService } from './opened-service.ts'
import { problemsOfPerson } from './problems-of-person.ts'
import type { PersonPromised, Promised } from './promises.ts'

/** As the client makes them. */
const ADDRESS = /person-\d+@example\.com/g

export interface Judged {
  readonly recording: Pick<Recording, 'port' | 'mail'>
  readonly promised: Promised
  /** What each mail is like when it is whole. */
  readonly wholeMails: ReadonlyMap<string, Uint8Array>
}

/** What is wrong with what is on this disk after a loss of power; the service is started on it, which may change it. */
export const examineState = async (disk: string, judged: Judged): Promise<string[]> => {
  try {
    return await withService(disk, judged.recording, async (service) => {
      const found = await findAll(service)
      return [
        ...found.damage,
        ...problemsOfMails(found, judged),
        ...problemsOfStrangers(found, judged.promised),
        ...judged.promised.persons.flatMap((person) => [...problemsOfPerson(person, found, judged.promised)]),
        ...(await problemsOfTrail(service)),
        ...(await problemsOfToken(service, judged.promised)),
        ...(await problemsOfErasure(service, judged.promised.persons)),
      ]
    })
  } catch (error) {
    return [`the service does not start: ${error instanceof Error ? error.stack : error}`]
  }
}

function* problemsOfMails(found: Found, { promised, wholeMails }: Judged): Generator<string> {
  const { mails, outbox, counted, subscriptions } = found
  const ids = new Set(subscriptions.map(({ id }) => id))
  for (const { subscriptionId } of outbox)
    if (!ids.has(subscriptionId)) yield `a mail about ${subscriptionId} waits, which is not there`
  for (const [name, bytes] of mails)
    if (!Buffer.from(wholeMails.get(name) ?? '').equals(bytes)) yield `the mail ${name} is not whole`
  for (const name of [...mails.keys(), ...promised.mailed]) {
    const isIt = (messageId: string): boolean => messageId === name || name === `${messageId.split('@', 1)[0]}.eml`
    if (![...counted].some(isIt)) yield `the mail ${name} does not count against its address`
    if (outbox.some(({ messageId, attempts }) => isIt(messageId) && attempts === 0))
      yield `the mail ${name} was sent, and is said never to have been tried`
  }
}

function* problemsOfStrangers({ subscriptions, users }: Found, { persons }: Promised): Generator<string> {
  const known = new Set(persons.map(({ person }) => person.email))
  for (const { email } of [...subscriptions, ...users])
    if (!known.has(email)) yield `${email} is there, and never asked for anything`
}

const problemsOfTrail = async ({ useCases }: OpenedService): Promise<string[]> => {
  const { broken } = await useCases.verifyAudit.execute({}, operator('power-loss'))
  return broken ? [`the audit trail is ${broken.fault} at record ${broken.sequence}`] : []
}

const problemsOfToken = async ({ useCases }: OpenedService, { token }: Promised): Promise<string[]> => {
  if (token === undefined) return []
  try {
    await useCases.authenticate.execute({ token, channel: 'http' })
    return []
  } catch (error) {
    return [`the administrator's token is refused: ${error}`]
  }
}

/** As at every start: afterwards nothing of an erased person may be left in any file. */
const problemsOfErasure = async (service: OpenedService, persons: readonly PersonPromised[]): Promise<string[]> => {
  const { transport, storage, readers, dataDir } = service
  if ('sweep' in transport && transport.sweep instanceof Function) await transport.sweep(readers)
  await storage.completeErasure?.()
  await storage.truncateLog?.()
  const erased = new Set(
    persons
      .filter(({ possible }) => possible.every(({ subscription, user }) => !subscription && user === 'deleted'))
      .map(({ person }) => person.email),
  )
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const addresses = new Set(readFileSync(path.join(parentPath, name), 'latin1').match(ADDRESS))
    return [...addresses].filter((email) => erased.has(email)).map((email) => `${email} was erased, and is in ${name}`)
  })
}
