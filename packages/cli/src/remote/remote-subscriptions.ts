import type { FeedForm } from '@rollcall/client'
import {
  asSubscriptionId,
  type Feed,
  FeedNotFound,
  type LiftedCause,
  LogoNotFound,
  type PublishedSubscription,
  parseFeedName,
  SubscriptionNotFound,
  type SubscriptionStatus,
  SuppressionNotFound,
} from '@rollcall/core'
import type { CommandOf } from '../cli-use-cases.ts'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** The use cases about feeds, over HTTP. */
export const remoteFeeds = (server: RemoteServer) => {
  const feedNamed = (name: string) => ({ name: inPath(FeedNotFound, name) })
  const getFeed = async ({ name }: { readonly name: string }): Promise<Feed> =>
    await server.get('getFeed', feedNamed(name), schemas.feed)
  return {
    listFeeds: ({ cursor, limit }) => server.get('listFeeds', { limit, cursor }, schemas.pageOf(schemas.listedFeed)),
    getFeed,
    putFeed: async ({ name, ...given }) => {
      const answer = await server.ask('putFeed', { ...feedNamed(parseFeedName(name)), ...feedChange(given) })
      const created = answer.status === 201
      return { feed: created ? answer.as(schemas.feed) : await getFeed({ name }), created }
    },
    patchFeed: async ({ name, ...given }) =>
      (await server.ask('patchFeed', { ...feedNamed(name), ...feedChange(given) })).as(schemas.feed),
    putFeedLogo: async ({ name, content }) => {
      await server.ask('putFeedLogo', { ...feedNamed(name), body: content as never })
      return await getFeed({ name })
    },
    deleteFeedLogo: async ({ name }) => await server.delete('deleteFeedLogo', feedNamed(name), LogoNotFound),
    deleteFeed: async ({ name, subscriptions, reason }) => {
      await server.delete('deleteFeed', { ...feedNamed(name), subscriptions, reason }, FeedNotFound)
      // The HTTP API does not say how many went.
      return { name: parseFeedName(name), subscriptionsErased: undefined }
    },
  } satisfies Partial<RemoteUseCases>
}

type FeedChange = Omit<CommandOf<'putFeed'> | CommandOf<'patchFeed'>, 'name'>

/** The body of a request that puts or patches a feed, and what becomes of fields that go. */
const feedChange = <Change extends FeedChange>({
  precondition: _,
  removedFields,
  returnUrls,
  confirmedUrl,
  homeUrl,
  remindAfter,
  ...given
}: Change) => ({
  fields: removedFields,
  body: {
    ...given,
    // What these must be, the server says.
    fields: given.fields as FeedForm['fields'],
    footer: given.footer as FeedForm['footer'],
    words: given.words as FeedForm['words'],
    return_urls: returnUrls,
    confirmed_url: confirmedUrl,
    home_url: homeUrl,
    remind_after: remindAfter,
  },
})

// Other words than numbers are endpoints of their own there.
const subscriptionWith = (text: string) => {
  const id = asSubscriptionId(text)
  if (id === undefined) throw new SubscriptionNotFound()
  return { subscriptionId: id }
}

/** The use cases about subscriptions, over HTTP. */
export const remoteSubscriptions = (server: RemoteServer) => {
  const find = async (subscriptionId: string): Promise<PublishedSubscription> =>
    await server.get('getSubscription', subscriptionWith(subscriptionId), schemas.subscription)
  const onBehalf =
    (operation: 'confirmOnBehalf' | 'endOnBehalf', done: SubscriptionStatus): RemoteUseCases['confirmOnBehalf'] =>
    async ({ subscriptionId, reason }) => {
      const before = await find(subscriptionId)
      const answer = await server.ask(operation, { ...subscriptionWith(subscriptionId), body: { reason } })
      return { subscription: answer.as(schemas.subscription), already: before.status === done }
    }
  return {
    listSubscriptions: ({ feed, status, email, query, sort, limit, cursor }) =>
      server.get(
        'listSubscriptions',
        { feed, status, email, query, sort, limit, cursor },
        schemas.pageOf(schemas.subscription),
      ),
    getSubscription: ({ subscriptionId }) => find(subscriptionId),
    explainSubscriptions: ({ email }) => server.get('explainSubscriptions', { email }, schemas.explanation),
    getConsent: async ({ subscriptionId }) => {
      const subscription = await find(subscriptionId)
      const ledger = schemas.listOf(schemas.consent)
      const { items } = await server.get('getConsent', subscriptionWith(subscriptionId), ledger)
      return { subscription, consents: items }
    },
    confirmOnBehalf: onBehalf('confirmOnBehalf', 'confirmed'),
    endOnBehalf: onBehalf('endOnBehalf', 'ended'),
    eraseSubscription: async ({ subscriptionId, reason }) =>
      await server.delete('eraseSubscription', { ...subscriptionWith(subscriptionId), reason }, SubscriptionNotFound),
  } satisfies Partial<RemoteUseCases>
}

/** The use cases about suppressed addresses, over HTTP. */
export const remoteSuppressions = (server: RemoteServer) =>
  ({
    listSuppressions: ({ cursor, limit }) =>
      server.get('listSuppressions', { limit, cursor }, schemas.pageOf(schemas.suppression)),
    liftSuppression: async ({ address, cause }) => {
      const given = { address: inPath(SuppressionNotFound, address), cause: cause as LiftedCause | undefined }
      await server.delete('liftSuppression', given, SuppressionNotFound)
      // Only the server knows the hash of an address.
      return address
    },
  }) satisfies Partial<RemoteUseCases>
