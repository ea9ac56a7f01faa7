import type { AuditRecord } from '@rollcall/core'
import { isAs } from '../../ledger/person.ts'
import { commandDeleting } from '../recording/conversations.ts'
import type { Judged } from './examine-state.ts'
import type { Found } from './found.ts'
import type { Problem } from './problem.ts'
import type { PersonPromised } from './promises.ts'

/** What is not as a person was told, or as nobody was told. */
export function* problemsOfPerson(
  { person, possible, answered, lastAnswer }: PersonPromised,
  found: Found,
  { promised, wholeMails }: Pick<Judged, 'promised' | 'wholeMails'>,
): Generator<Problem> {
  const { email, userId } = person
  const subscription = found.subscriptions.find((candidate) => candidate.email === email)
  const user = found.users.find(({ id }) => id === userId)
  const userSeen = user ? { name: user.name } : found.tombstones.has(userId) ? 'deleted' : 'none'
  const message = `${email} is ${JSON.stringify({ subscription, user: userSeen })} after ${deedsOf(answered)}`
  if (!possible.some((life) => isAs(life, { subscription, user: userSeen })))
    yield { invariant: possible.every((life) => life.user === 'deleted') ? 'I5' : 'I1', message }
  const { subscriptionId } = person
  if (subscription && subscriptionId !== undefined && subscription.id !== subscriptionId)
    yield { invariant: 'I2', message: `the id of ${email} was answered ${subscriptionId} and is ${subscription.id}` }
  if (user && user.email !== email) yield { invariant: 'I2', message: `${userId} has the address ${user.email}` }
  for (const { requestId, deed } of answered)
    if (deed.kind.endsWith('-user') && !found.audit.some(isRecordOf(requestId, userId)))
      yield { invariant: 'I1', message: `${deed.kind} of ${userId} was answered, and is not on record` }
  // One that was being written then is removed a moment later; after a loss of power, at the next start.
  const isBack = (name: string): boolean => (wholeMails.get(name)?.removedBy ?? lastAnswer) < lastAnswer
  if (possible.every((life) => life.subscription === undefined) && found.mailsTo.get(email)?.some(isBack))
    yield { invariant: 'I5', message: `${email} was erased, and a mail to it that had been removed is back` }
  if (subscription?.status === 'pending' && !isMailed(subscription.id, found, promised.mailed))
    yield { invariant: 'I3', message: `the mail that ${email} is owed is neither sent nor waiting` }
  for (const event of eventsOwed(email, userId, found))
    yield { invariant: 'I1', message: `${event} of ${email} is in the store, and not among the events` }
}

/** A command has no request's id; a user is deleted but once. */
const isRecordOf =
  (requestId: string, userId: string) =>
  (record: AuditRecord): boolean =>
    record.requestId === requestId ||
    (requestId === commandDeleting(userId) && record.action === 'user.delete' && record.target === userId)

const deedsOf = (answered: PersonPromised['answered']): string => {
  if (answered.length === 0) return 'nothing was answered'
  return `${answered.map(({ deed }) => deed.kind).join(', ')} were answered`
}

/** Whoever has followed the link in it needs it no more: so only while it is pending. */
const isMailed = (id: number, { mails, outbox }: Found, mailed: ReadonlySet<string>): boolean => {
  const isOurs = (messageId: string): boolean => messageId.startsWith(`${id.toString(36)}.`)
  return [...mails.keys(), ...mailed].some(isOurs) || outbox.some(({ messageId }) => isOurs(messageId))
}

/** What is there must have been told of: both are written in one transaction. */
function* eventsOwed(email: string, userId: string, found: Found): Generator<string> {
  const subscription = found.subscriptions.find((candidate) => candidate.email === email)
  const did = (type: string, subject: string | number): boolean =>
    found.events.some((event) => event.type === type && event.subject === `${subject}`)
  if (found.users.some(({ id }) => id === userId) && !did('user.created', userId)) yield 'user.created'
  if (found.tombstones.has(userId) && !did('user.deleted', userId)) yield 'user.deleted'
  if (subscription === undefined) return
  const { id, status } = subscription
  if (!did('subscription.pending', id)) yield 'subscription.pending'
  if (status !== 'pending' && !did(`subscription.${status}`, id)) yield `subscription.${status}`
}
