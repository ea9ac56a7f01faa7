import type { Life } from '../../ledger/life.ts'
import type { Found } from './found.ts'
import type { PersonPromised, Promised } from './promises.ts'

/** What is not as a person was told, or as nobody was told. */
export function* problemsOfPerson(
  { person, possible, answered }: PersonPromised,
  found: Found,
  { mailed }: Pick<Promised, 'mailed'>,
): Generator<string> {
  const { email, userId } = person
  const subscription = found.subscriptions.find((candidate) => candidate.email === email)
  const user = found.users.find(({ id }) => id === userId)
  const did = (type: string, subject: string) =>
    found.events.some((event) => event.type === type && event.subject === subject)
  const seen: Seen = {
    subscription: subscription && { status: subscription.status, name: subscription.name },
    user: user ? { name: user.name } : did('user.deleted', userId) ? 'deleted' : 'none',
  }
  if (!possible.some((life) => isAs(life, seen)))
    yield `${email} is ${JSON.stringify(seen)}, after ${answered.map(({ deed }) => deed.kind).join(', ')} were answered`
  for (const { requestId, deed } of answered)
    if (deed.kind.endsWith('-user') && !found.audit.some((record) => record.requestId === requestId))
      yield `${deed.kind} of ${userId} was answered, and is not on record`
  if (user && !did('user.created', userId)) yield `${userId} is there, and nobody was told of it`
  if (possible.every((life) => life.subscription === undefined) && found.mailedTo.has(email))
    yield `${email} was erased, and a mail to it is still there`
  if (subscription === undefined) return
  const { id, status } = subscription
  if (!did('subscription.pending', `${id}`)) yield `${email} is subscribed, and nobody was told of it`
  if (status === 'confirmed' && !did('subscription.confirmed', `${id}`)) yield `nobody was told that ${email} confirmed`
  const isOurs = (messageId: string): boolean => messageId.startsWith(`${id.toString(36)}.`)
  const sent = [...found.mails.keys(), ...mailed].some(isOurs)
  // Who has followed the link in it needs it no more.
  if (status === 'pending' && !sent && !found.outbox.some(({ messageId }) => isOurs(messageId)))
    yield `the mail that ${email} is owed is neither sent nor waiting`
}

interface Seen {
  readonly subscription: Life['subscription']
  readonly user: Life['user']
}

const isAs = ({ subscription, user }: Life, seen: Seen): boolean =>
  subscription?.status === seen.subscription?.status &&
  subscription?.name === seen.subscription?.name &&
  (typeof user === 'string' || typeof seen.user === 'string' ? user === seen.user : user.name === seen.user.name)
