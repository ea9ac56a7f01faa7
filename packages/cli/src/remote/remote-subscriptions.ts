import {
  asSubscriptionId,
  type Feed,
  FeedNotFound,
  type PublishedSubscription,
  parseFeedName,
  SubscriptionNotFound,
  type SubscriptionStatus,
  SuppressionNotFound,
} from '@rollcall/core'
import { pathOf } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** The use cases about feeds, over HTTP. */
export const remoteFeeds = (server: RemoteServer) => {
  const pathOfFeed = (name: string): string => pathOf(FeedNotFound, 'feeds', name)
  const getFeed = async ({ name }: { readonly name: string }): Promise<Feed> =>
    await server.get(pathOfFeed(name), schemas.feed)
  return {
    listFeeds: ({ cursor, limit }) => server.get('/feeds', schemas.pageOf(schemas.feed), { limit, cursor }),
    getFeed,
    putFeed: async ({ name, returnUrls, confirmedUrl, homeUrl, precondition: _, ...fields }) => {
      const path = pathOfFeed(parseFeedName(name))
      const json = { ...fields, return_urls: returnUrls, confirmed_url: confirmedUrl, home_url: homeUrl }
      const answer = await server.ask({ method: 'PUT', path, json })
      const created = answer.status === 201
      return { feed: created ? answer.as(schemas.feed) : await getFeed({ name }), created }
    },
    deleteFeed: async ({ name, subscriptions, reason }) => {
      await server.delete(pathOfFeed(name), FeedNotFound, { subscriptions, reason })
      // The HTTP API does not say how many went.
      return { name: parseFeedName(name), subscriptionsErased: undefined }
    },
  } satisfies Partial<RemoteUseCases>
}

// Other words than numbers are endpoints of their own there.
const pathOfSubscription = (text: string, rest = ''): string => {
  const id = asSubscriptionId(text)
  if (id === undefined) throw new SubscriptionNotFound()
  return `/subscriptions/${id}${rest}`
}

/** The use cases about subscriptions, over HTTP. */
export const remoteSubscriptions = (server: RemoteServer) => {
  const find = async (subscriptionId: string): Promise<PublishedSubscription> =>
    await server.get(pathOfSubscription(subscriptionId), schemas.subscription)
  const onBehalf =
    (action: 'confirm' | 'end', done: SubscriptionStatus): RemoteUseCases['confirmOnBehalf'] =>
    async ({ subscriptionId, reason }) => {
      const before = await find(subscriptionId)
      const path = pathOfSubscription(subscriptionId, `/${action}`)
      const answer = await server.ask({ method: 'POST', path, json: { reason } })
      return { subscription: answer.as(schemas.subscription), already: before.status === done }
    }
  return {
    listSubscriptions: ({ feed, status, email, limit, cursor }) =>
      server.get('/subscriptions', schemas.pageOf(schemas.subscription), { feed, status, email, limit, cursor }),
    getSubscription: ({ subscriptionId }) => find(subscriptionId),
    getConsent: async ({ subscriptionId }) => {
      const subscription = await find(subscriptionId)
      const path = pathOfSubscription(subscriptionId, '/consent')
      return { subscription, consents: (await server.get(path, schemas.listOf(schemas.consent))).items }
    },
    confirmOnBehalf: onBehalf('confirm', 'confirmed'),
    endOnBehalf: onBehalf('end', 'ended'),
    eraseSubscription: async ({ subscriptionId, reason }) =>
      await server.delete(pathOfSubscription(subscriptionId), SubscriptionNotFound, { reason }),
  } satisfies Partial<RemoteUseCases>
}

/** The use cases about suppressed addresses, over HTTP. */
export const remoteSuppressions = (server: RemoteServer) =>
  ({
    listSuppressions: ({ cursor, limit }) =>
      server.get('/suppressions', schemas.pageOf(schemas.suppression), { limit, cursor }),
    liftSuppression: async ({ address }) => {
      await server.delete(pathOf(SuppressionNotFound, 'suppressions', address), SuppressionNotFound)
      // Only the server knows the hash of an address.
      return address
    },
  }) satisfies Partial<RemoteUseCases>
