import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AuditRecord } from '@rollcall/core'
import type { Finding } from '../../finding.ts'
import { FEEDS } from '../../ledger/ledger.ts'
import type { PersonState } from '../../ledger/model.ts'
import { isAs, tokenIdOf } from '../../ledger/person.ts'
import { commandDeleting } from '../recording/conversations.ts'
import { type Demand, newEmailOf, type PersonInQuestion } from '../recording/load-client.ts'
import type { Judged, OpenedService } from './examine-state.ts'
import type { Found, WholeMail } from './found.ts'
import type { PersonPromised, Promised } from './promises.ts'

/** A promise that is broken on one disk. */
export type Problem = Pick<Finding, 'invariant' | 'message'>

/** Where the store differs from what a person was answered. */
export function* problemsOfPerson(
  { person, possible, answered, lastAnswer }: PersonPromised,
  found: Found,
  { promised, wholeMails }: Pick<Judged, 'promised' | 'wholeMails'>,
): Generator<Problem> {
  const { email, userId } = person
  const subscription = subscriptionOf(found, email)
  const user = found.users.find(({ id }) => id === userId)
  const userSeen = user
    ? { name: user.name, suspended: user.suspendedAt !== undefined }
    : found.tombstones.has(userId)
      ? 'deleted'
      : 'none'
  const seen = {
    subscription,
    user: userSeen,
    revoked: found.revoked.has(tokenIdOf(userId)),
    more: moreOf(person, answered, found),
  } as const
  const message = `${email} is ${JSON.stringify(seen)} after ${actionsOf(answered)}`
  if (!possible.some((state) => isAs(state, seen)))
    yield { invariant: possible.every((state) => state.user === 'deleted') ? 'I5' : 'I1', message }
  const { subscriptionId } = person
  if (subscription && subscriptionId !== undefined && subscription.id !== subscriptionId)
    yield { invariant: 'I2', message: `the id of ${email} was answered ${subscriptionId} and is ${subscription.id}` }
  if (user && user.email !== email) yield { invariant: 'I2', message: `${userId} has the address ${user.email}` }
  for (const { requestId, action } of answered)
    if (action.kind.endsWith('-user') && !found.audit.some(isRecordOf(requestId, userId)))
      yield { invariant: 'I1', message: `${action.kind} of ${userId} was answered and has no audit record` }
  // A mail that was being written then is removed a moment later; after a power loss, at the next start.
  const isBack = (name: string): boolean => (wholeMails.get(name)?.removedBy ?? lastAnswer) < lastAnswer
  if (possible.every((state) => state.subscription === undefined) && found.mailsTo.get(email)?.some(isBack))
    yield { invariant: 'I5', message: `${email} was erased, and a removed mail to it is back` }
  if (subscription?.status === 'pending' && !isMailed(subscription.id, found, promised.mailed))
    yield { invariant: 'I3', message: `the mail for ${email} is neither sent nor in the outbox` }
  for (const event of eventsOwed(email, userId, found))
    yield { invariant: 'I1', message: `${event} of ${email} is in the store and not among the events` }
}

const subscriptionOf = ({ subscriptions }: Found, email: string, feed: string = FEEDS[0]) =>
  subscriptions.find((candidate) => candidate.email === email && candidate.feed === feed)

const moreOf = ({ email, subscriptionId = 0 }: PersonInQuestion, answered: readonly Demand[], found: Found) => {
  const moved = subscriptionOf(found, newEmailOf(email))
  const delivery = (found.delivery.get(subscriptionId) ?? 'ok') as PersonState['delivery']
  return {
    second: subscriptionOf(found, email, FEEDS[1]),
    moved,
    movesRecorded: [subscriptionId, moved?.id ?? 0].filter((id) => found.moved.has(id)).length,
    delivery: answered.some(({ action }) => action.kind === 'bounce') ? delivery : undefined,
  }
}

/** A command has no request id; a user is deleted only once. */
const isRecordOf =
  (requestId: string, userId: string) =>
  (record: AuditRecord): boolean =>
    record.requestId === requestId ||
    (requestId === commandDeleting(userId) && record.action === 'user.delete' && record.target === userId)

const actionsOf = (answered: PersonPromised['answered']): string => {
  if (answered.length === 0) return 'nothing was answered'
  return `${answered.map(({ action }) => action.kind).join(', ')} were answered`
}

/** Only while the subscription is pending: after its link was followed, the mail is not needed any more. */
const isMailed = (id: number, { mails, outbox }: Found, mailed: ReadonlySet<string>): boolean => {
  const isOurs = (messageId: string): boolean => messageId.startsWith(`${id.toString(36)}.`)
  return [...mails.keys(), ...mailed].some(isOurs) || outbox.some(({ messageId }) => isOurs(messageId))
}

/** The events that must exist for what is in the store: both are written in one transaction. */
function* eventsOwed(email: string, userId: string, found: Found): Generator<string> {
  const subscription = subscriptionOf(found, email)
  const did = (type: string, subject: string | number): boolean =>
    found.events.some((event) => event.type === type && event.subject === `${subject}`)
  if (found.users.some(({ id }) => id === userId) && !did('user.created', userId)) yield 'user.created'
  if (found.tombstones.has(userId) && !did('user.deleted', userId)) yield 'user.deleted'
  if (subscription === undefined) return
  const { id, status } = subscription
  if (!did('subscription.pending', id)) yield 'subscription.pending'
  if (status !== 'pending' && !did(`subscription.${status}`, id)) yield `subscription.${status}`
}

/** Mails that are incomplete, belong to no subscription, or were sent without having been counted. */
export function* problemsOfMails(
  { mails, outbox, counted, subscriptions }: Found,
  { mailed }: Pick<Promised, 'mailed'>,
  wholeMails: ReadonlyMap<string, WholeMail>,
): Generator<Problem> {
  const ids = new Set(subscriptions.map(({ id }) => id))
  for (const { subscriptionId } of outbox)
    if (!ids.has(subscriptionId))
      yield {
        invariant: 'I5',
        message: `a mail is in the outbox for the subscription ${subscriptionId}, which does not exist`,
      }
  for (const [name, bytes] of mails)
    if (!Buffer.from(wholeMails.get(name)?.bytes ?? '').equals(bytes))
      yield { invariant: 'I3', message: `the mail ${name} is incomplete` }
  const capped = new Set([...counted].flatMap((messageId) => [messageId, fileOf(messageId)]))
  const untried = new Set(
    outbox.filter(({ attempts }) => attempts === 0).flatMap(({ messageId }) => [messageId, fileOf(messageId)]),
  )
  for (const name of [...mails.keys(), ...mailed]) {
    if (!capped.has(name) && !tellsOfMove(wholeMails.get(name)))
      yield { invariant: 'I6', message: `the mail ${name} does not count against its address` }
    if (untried.has(name))
      yield { invariant: 'I4', message: `the mail ${name} was sent and is recorded as never tried` }
  }
}

/** It is outside the caps. */
const tellsOfMove = (mail: WholeMail | undefined): boolean => Buffer.from(mail?.bytes ?? '').includes('/undo/')

const fileOf = (messageId: string): string => `${messageId.split('@', 1)[0]}.eml`

/** The addresses that the client makes. */
const ADDRESS = /person-\d+@example\.com/g

/** Cleans up as every start does. After that no file may contain anything about an erased person. */
export const problemsOfErasure = async (
  { transport, storage, readers, dataDir }: OpenedService,
  persons: readonly PersonPromised[],
): Promise<Problem[]> => {
  if ('sweep' in transport && transport.sweep instanceof Function) await transport.sweep(readers)
  await storage.completeErasure?.()
  await storage.truncateLog?.()
  const erased = new Set(persons.filter(isErased).map(({ person }) => person.email))
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const addresses = new Set(readFileSync(path.join(parentPath, name), 'latin1').match(ADDRESS))
    return [...addresses]
      .filter((email) => erased.has(email))
      .map((email): Problem => ({ invariant: 'I5', message: `${email} was erased and is in ${name}` }))
  })
}

const isErased = ({ possible }: PersonPromised): boolean =>
  possible.every(({ subscription, user }) => subscription === undefined && user === 'deleted')
