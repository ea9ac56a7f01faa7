import type { Found } from './found.ts'
import type { Problem } from './problem.ts'
import type { Promised } from './promises.ts'
import type { WholeMail } from './whole-mails.ts'

/** Mails that are not whole, that nobody waits for, or that went out without having been counted first. */
export function* problemsOfMails(
  { mails, outbox, counted, subscriptions }: Found,
  { mailed }: Pick<Promised, 'mailed'>,
  wholeMails: ReadonlyMap<string, WholeMail>,
): Generator<Problem> {
  const ids = new Set(subscriptions.map(({ id }) => id))
  for (const { subscriptionId } of outbox)
    if (!ids.has(subscriptionId))
      yield { invariant: 'I5', message: `a mail waits for the subscription ${subscriptionId}, which is not there` }
  for (const [name, bytes] of mails)
    if (!Buffer.from(wholeMails.get(name)?.bytes ?? '').equals(bytes))
      yield { invariant: 'I3', message: `the mail ${name} is not whole` }
  const capped = new Set([...counted].flatMap((messageId) => [messageId, fileOf(messageId)]))
  const untried = new Set(
    outbox.filter(({ attempts }) => attempts === 0).flatMap(({ messageId }) => [messageId, fileOf(messageId)]),
  )
  for (const name of [...mails.keys(), ...mailed]) {
    if (!capped.has(name)) yield { invariant: 'I6', message: `the mail ${name} does not count against its address` }
    if (untried.has(name))
      yield { invariant: 'I4', message: `the mail ${name} was sent, and is said never to have been tried` }
  }
}

const fileOf = (messageId: string): string => `${messageId.split('@', 1)[0]}.eml`
