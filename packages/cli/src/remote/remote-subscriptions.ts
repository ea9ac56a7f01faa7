import {
  asSubscriptionId,
  type DomainError,
  type PublishedSubscription,
  SubscriptionNotFound,
  type SubscriptionStatus,
} from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import type { RemoteServer } from './remote-server.ts'
import { schemas } from './schemas.ts'

type SubscriptionUseCases = Pick<
  CliUseCases,
  'confirmOnBehalf' | 'endOnBehalf' | 'eraseSubscription' | 'getConsent' | 'getSubscription' | 'listSubscriptions'
>

type OnBehalf = SubscriptionUseCases['confirmOnBehalf']

// Other words than numbers are endpoints of their own there.
const pathOfSubscription = (text: string, rest = ''): string => {
  const id = asSubscriptionId(text)
  if (id === undefined) throw new SubscriptionNotFound()
  return `/subscriptions/${id}${rest}`
}

// After a lost answer: an earlier try may have deleted it, and that is what was asked for.
const isGone = (error: DomainError): boolean => error instanceof SubscriptionNotFound

/** The use cases about subscriptions, over HTTP. */
export const remoteSubscriptions = (server: RemoteServer): SubscriptionUseCases => {
  const find = async (subscriptionId: string): Promise<PublishedSubscription> =>
    await server.get(pathOfSubscription(subscriptionId), schemas.subscription)
  const onBehalf = (action: 'confirm' | 'end', done: SubscriptionStatus): OnBehalf => ({
    execute: async ({ subscriptionId, reason }) => {
      const before = await find(subscriptionId)
      const path = pathOfSubscription(subscriptionId, `/${action}`)
      const answer = await server.ask({ method: 'POST', path, json: { reason } })
      return { subscription: answer.as(schemas.subscription), already: before.status === done }
    },
  })
  return {
    listSubscriptions: {
      execute: ({ feed, status, email, ...request }) => {
        const list = { path: '/subscriptions', filter: { feed, status, email } }
        return remotePage(server, list, schemas.subscription, request)
      },
    },
    getSubscription: { execute: ({ subscriptionId }) => find(subscriptionId) },
    getConsent: {
      execute: async ({ subscriptionId }) => {
        const subscription = await find(subscriptionId)
        const path = pathOfSubscription(subscriptionId, '/consent')
        return { subscription, consents: (await server.get(path, schemas.listOf(schemas.consent))).items }
      },
    },
    confirmOnBehalf: onBehalf('confirm', 'confirmed'),
    endOnBehalf: onBehalf('end', 'ended'),
    eraseSubscription: {
      execute: async ({ subscriptionId, reason }) => {
        const path = pathOfSubscription(subscriptionId)
        await server.ask({ method: 'DELETE', path, query: { reason }, doneBefore: isGone })
      },
    },
  }
}
