import type { ConsoleClient } from './console-client.ts'

/** A screen by what it shows, and its path. */
export type Screens = Readonly<Record<string, string>>

/** What a person has subscribed to, and everything else that has a page of its own, by a real name. */
interface Cast {
  readonly address: string
  readonly user: string
}

/** So many of them at once: what a list is pasted for. */
const DELETED = 5_000

/** Every screen that is looked at, of a service in which there is very much. */
export const screensOf = async (client: ConsoleClient, { address, user }: Cast): Promise<Screens> => {
  const person = await client.post('/find', { q: address })
  const nobody = await client.post('/find', { q: 'reader.000000002@example.com' })
  const ids = Array.from({ length: DELETED }, (_, n) => `reader.${String(n * 7 + 1).padStart(9, '0')}`)
  const plan = await client.post('/deletions', { ids: ids.join('\n') })
  const planning = await client.post('/deletions', { ids: ids.join('\n') })
  while ((await client.get(plan)).text.includes('data-goes-on')) await client.post(plan)
  const verifying = await client.post('/audit/verify')
  const subscription = await linkIn(client, '/subscriptions', /\/subscriptions\/\d+/)
  const suppressed = await linkIn(client, '/suppressions', /\/addresses\/[0-9a-f]+/)
  // Far on where there are so many, and behind the end where there are not.
  const far = 'cursor=900000'
  return {
    start: '/',
    'a person': person,
    'an address that is not known': nobody,
    'a subscription': subscription,
    'end a subscription': `${subscription}/end`,
    health: '/health',
    'mails that wait': '/outbox',
    'parked mails': '/outbox?show=parked',
    'parked events': '/outbox/events?show=parked',
    'events of a webhook': '/outbox/events?webhook=hook-01',
    users: '/users',
    'users, far on': `/users?${far}`,
    auditors: '/users?role=auditor',
    administrators: '/users?role=admin',
    'a user': `/users/${user}`,
    'edit a user': `/users/${user}/edit`,
    'delete a user': `/users/${user}/delete`,
    deletions: '/deletions',
    'a plan of 5,000': plan,
    'its refused rows': `${plan}?show=refused`,
    'a plan in progress': planning,
    subscriptions: '/subscriptions',
    'subscriptions, far on': `/subscriptions?${far}`,
    'subscriptions of a feed': '/subscriptions?feed=feed-3',
    'pending in a feed': '/subscriptions?feed=default&status=pending',
    'pending in a feed that has none': '/subscriptions?feed=feed-3&status=pending',
    'ended in a feed': '/subscriptions?feed=feed-1&status=ended',
    'ended in a feed that has none': '/subscriptions?feed=feed-2&status=ended',
    suppressions: '/suppressions',
    'a suppressed address': suppressed,
    'undeliverable addresses': '/undeliverable',
    feedback: '/feedback',
    feeds: '/feeds',
    'a feed': '/feeds/default',
    'a mail of a feed': '/feeds/default/mail?lang=de',
    'delete a feed': '/feeds/feed-3/delete',
    'import and export': '/transfer',
    webhooks: '/webhooks',
    'a webhook': '/webhooks/hook-01',
    tokens: '/tokens',
    'audit trail': '/audit',
    'a search of the trail that finds nothing': '/audit?action=key.rotate',
    'one user in the trail': `/audit?target=${user}`,
    'a verification': verifying,
    sessions: '/sessions',
  }
}

const linkIn = async (client: ConsoleClient, path: string, pattern: RegExp): Promise<string> => {
  const [found] = pattern.exec((await client.get(path)).text) ?? []
  if (found === undefined) throw new Error(`${path} has no link like ${pattern}`)
  return found
}
