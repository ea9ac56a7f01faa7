import { openMemoryService } from '../memory/index.ts'
import { addressHash, type Caller, type FeedbackItem, type FeedName, subscriptionIdentity } from '../src/index.ts'
import { ADMIN, caller, type Service } from './cast.ts'

export const MAILER = caller('mailer', 'sender')
export const boundTo = (...feeds: string[]): Caller => ({
  ...MAILER,
  id: `mailer-of-${feeds}`,
  feeds: feeds as FeedName[],
})

export const hashOf = ({ ports }: Service, email: string) => addressHash(ports.digests, email)

/** A service with feeds beside `default`. */
export const openWithFeeds = async (...feeds: string[]): Promise<Service> => {
  const at = openMemoryService({ bounceAddress: 'bounces@news.example.com' })
  for (const name of feeds) await at.useCases.putFeed.execute({ name }, ADMIN)
  return at
}

/** The id of a subscription that is stored as confirmed, without a sign-up. */
export const confirmed = async (at: Service, email: string, feed = 'default'): Promise<number> =>
  (await confirmedMany(at, [email], feed))[0] ?? 0

export const confirmedMany = (at: Service, emails: readonly string[], feed = 'default'): Promise<number[]> =>
  at.storage.unitOfWork.run(async ({ subscriptions }) => {
    const ids: number[] = []
    for (const email of emails) {
      const { id } = await subscriptions.locate(subscriptionIdentity(at.ports.digests, feed as FeedName, email))
      await subscriptions.put({
        id,
        feed: feed as FeedName,
        email,
        addressKey: email,
        address: addressHash(at.ports.digests, email),
        name: '',
        locale: undefined,
        status: 'confirmed',
        episode: '0123456789abcdef',
        createdAt: at.clock.now(),
        confirmedAt: at.clock.now(),
        endedAt: undefined,
        expiresAt: undefined,
        lastMail: undefined,
      })
      ids.push(id)
    }
    return ids
  })

export const bounce = (id: number, more: Partial<FeedbackItem> = {}): FeedbackItem => ({
  kind: 'bounce',
  subscription: String(id),
  status: '5.1.1',
  ...more,
})
export const complaint = (id: number, more: Partial<FeedbackItem> = {}): FeedbackItem => ({
  kind: 'complaint',
  subscription: String(id),
  ...more,
})

export const report = ({ useCases }: Service, items: readonly FeedbackItem[], by: Caller = MAILER) =>
  useCases.recordFeedback.execute({ items }, by)

/** What is known against an address: `ok`, or its state. */
export const stateOf = async (at: Service, email: string): Promise<string> =>
  (await at.storage.readers.deliverability.find(hashOf(at, email)))?.state ?? 'ok'

/** Types and subjects of all events of these types. */
export const eventsOf = async ({ storage }: Service, ...types: string[]) => {
  const { items } = await storage.readers.events.list({ after: 0, limit: 1_000 })
  return items.filter(({ type }) => types.includes(type)).map(({ type, subject }) => `${type} ${subject}`)
}
