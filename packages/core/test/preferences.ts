import { memoryDigests, openMemoryService } from '../memory/index.ts'
import { addressHash, type ChangePreferencesCommand, type PreferencesAction } from '../src/index.ts'
import { ADMIN, confirm, consentsOf, deliver, lastMailOf, mailedToken, type Service, subscribe } from './cast.ts'

export const EMAIL = 'ada@example.com'
export const AT_HOME = { via: 'preferences', clientAddress: '192.0.2.0/24', userAgent: 'Browser' }
const LONG_ENOUGH = 24 * 3600 * 1000

export const ask = ({ useCases }: Service, email = EMAIL, more = {}) =>
  useCases.requestPreferences.execute({ email, ...more })

export const show = ({ useCases }: Service, token: string) => useCases.showPreferences.execute({ token })
export const download = ({ useCases }: Service, token: string) => useCases.exportPreferences.execute({ token })

export const change = (
  { useCases }: Service,
  token: string,
  action: PreferencesAction | (string & {}),
  more: Partial<ChangePreferencesCommand> = {},
) => useCases.changePreferences.execute({ token, action, source: AT_HOME, ...more })

/** Asks for the link, and reads it in the mail. */
export const linkOf = async (at: Service, email = EMAIL): Promise<string> => {
  at.clock.advance(LONG_ENOUGH)
  await ask(at, email)
  await deliver(at)
  const link = lastMailOf(at).links.preferences ?? ''
  return link.slice(link.lastIndexOf('/') + 1)
}

/** An address that is confirmed on `default`, pending on `news` and has ended `offers`; nothing waits to be sent. */
export const withThree = async () => {
  const at = openMemoryService({ linkLife: 30 * LONG_ENOUGH })
  for (const name of ['news', 'offers', 'others']) await at.useCases.putFeed.execute({ name }, ADMIN)
  const ids: Record<string, number> = {}
  for (const feed of ['default', 'news', 'offers']) {
    ids[feed] = (await subscribe(at, EMAIL, { feed, name: 'Ada', locale: 'de' })).id
    const token = await mailedToken(at, feed === 'offers' ? 'unsubscribe' : 'confirm')
    if (feed === 'default') await confirm(at, token)
    if (feed === 'offers') await at.useCases.endSubscription.execute({ token, source: AT_HOME })
    at.clock.advance(LONG_ENOUGH)
  }
  const { default: main = 0, news = 0, offers = 0 } = ids
  return { at, ids: { default: main, news, offers } }
}

/** What the owner is shown: feed and status. */
export const statuses = async (at: Service, token: string) =>
  Object.fromEntries(
    (await show(at, token)).subscriptions.map(({ subscription }) => [subscription.feed, subscription.status]),
  )

export const deedsOf = async (at: Service, id: number) =>
  (await consentsOf(at, id)).map(({ deed, via, count }) => `${deed} via ${via}${count > 1 ? ` x${count}` : ''}`)

export const eventsOf = async ({ storage }: Service) =>
  (await storage.readers.events.list({ after: 0, limit: 200 })).items.map(({ type, subject }) => `${type} ${subject}`)

/** Those three, and the link to them. */
export const withLink = async () => {
  const { at, ids } = await withThree()
  return { at, ids, token: await linkOf(at) }
}

export const suppressionOf = async ({ storage }: Service) => {
  const hash = addressHash(memoryDigests('a secret for tests'), EMAIL)
  return (await storage.readers.suppressions.findMany([hash])).get(hash)
}

/** The events that come of what is done. */
export const eventsFrom = async (at: Service, work: () => Promise<unknown>) => {
  const before = (await eventsOf(at)).length
  await work()
  return (await eventsOf(at)).slice(before)
}
