import { type DomainError, type Feed, FeedNotFound, parseFeedName } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { toldFeed } from './told-feeds.ts'

type FeedUseCases = Pick<CliUseCases, 'deleteFeed' | 'getFeed' | 'listFeeds' | 'putFeed'>

const pathOfFeed = (name: string): string => {
  const path = pathOf('feeds', name)
  if (path === undefined) throw new FeedNotFound()
  return path
}

// Once an answer was lost, it may have been the one that said it is gone; what was ordered is so in any case.
const isGone = (error: DomainError): boolean => error instanceof FeedNotFound

/** The use cases about feeds, over HTTP. */
export const remoteFeeds = (server: RemoteServer): FeedUseCases => {
  const find = async (name: string): Promise<Feed> =>
    toldFeed((await server.ask({ method: 'GET', path: pathOfFeed(name) })).told())
  return {
    listFeeds: { execute: (request) => remotePage(server, { path: '/feeds', item: toldFeed }, request) },
    getFeed: { execute: ({ name }) => find(name) },
    putFeed: {
      execute: async ({ name, returnUrls, confirmedUrl, precondition: _, ...fields }) => {
        const path = pathOfFeed(parseFeedName(name))
        const json = { ...fields, return_urls: returnUrls, confirmed_url: confirmedUrl }
        const answer = await server.ask({ method: 'PUT', path, json })
        const created = answer.status === 201
        return { feed: created ? toldFeed(answer.told()) : await find(name), created }
      },
    },
    deleteFeed: {
      execute: async ({ name, subscriptions, reason }) => {
        const path = pathOfFeed(name)
        await server.ask({ method: 'DELETE', path, query: { subscriptions, reason }, doneBefore: isGone })
        // Over HTTP nobody is told how many went.
        return { name: parseFeedName(name), subscriptionsErased: undefined }
      },
    },
  }
}
