import { type DomainError, type Feed, FeedNotFound, parseFeedName } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { schemas } from './schemas.ts'

type FeedUseCases = Pick<CliUseCases, 'deleteFeed' | 'getFeed' | 'listFeeds' | 'putFeed'>

const pathOfFeed = (name: string): string => {
  const path = pathOf('feeds', name)
  if (path === undefined) throw new FeedNotFound()
  return path
}

// After a lost answer: an earlier try may have deleted it, and that is what was asked for.
const isGone = (error: DomainError): boolean => error instanceof FeedNotFound

/** The use cases about feeds, over HTTP. */
export const remoteFeeds = (server: RemoteServer): FeedUseCases => {
  const find = async (name: string): Promise<Feed> => await server.get(pathOfFeed(name), schemas.feed)
  return {
    listFeeds: { execute: (request) => remotePage(server, { path: '/feeds' }, schemas.feed, request) },
    getFeed: { execute: ({ name }) => find(name) },
    putFeed: {
      execute: async ({ name, returnUrls, confirmedUrl, precondition: _, ...fields }) => {
        const path = pathOfFeed(parseFeedName(name))
        const json = { ...fields, return_urls: returnUrls, confirmed_url: confirmedUrl }
        const answer = await server.ask({ method: 'PUT', path, json })
        const created = answer.status === 201
        return { feed: created ? answer.as(schemas.feed) : await find(name), created }
      },
    },
    deleteFeed: {
      execute: async ({ name, subscriptions, reason }) => {
        const path = pathOfFeed(name)
        await server.ask({ method: 'DELETE', path, query: { subscriptions, reason }, doneBefore: isGone })
        // The HTTP API does not say how many went.
        return { name: parseFeedName(name), subscriptionsErased: undefined }
      },
    },
  }
}
