import { type DescribedWebhook, type DomainError, parseWebhookName, WebhookNotFound } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { schemas } from './schemas.ts'

type WebhookUseCases = Pick<
  CliUseCases,
  'deleteWebhook' | 'getWebhook' | 'listWebhooks' | 'putWebhook' | 'redeliverEvents' | 'rotateWebhookSecret'
>

const pathOfWebhook = (name: string, ...rest: readonly string[]): string => {
  const path = pathOf('webhooks', name, ...rest)
  if (path === undefined) throw new WebhookNotFound()
  return path
}

// After a lost answer: an earlier try may have deleted it, and that is what was asked for.
const isGone = (error: DomainError): boolean => error instanceof WebhookNotFound

/** The use cases about webhooks, over HTTP. */
export const remoteWebhooks = (server: RemoteServer): WebhookUseCases => {
  const find = async (name: string): Promise<DescribedWebhook> => await server.get(pathOfWebhook(name), schemas.webhook)
  return {
    listWebhooks: { execute: (request) => remotePage(server, { path: '/webhooks' }, schemas.webhook, request) },
    getWebhook: { execute: ({ name }) => find(name) },
    putWebhook: {
      execute: async ({ name, url, types, enabled }) => {
        const path = pathOfWebhook(parseWebhookName(name))
        const answer = await server.ask({ method: 'PUT', path, json: { url, types, enabled } })
        if (answer.status !== 201) return { webhook: await find(name), created: false, secret: undefined }
        return { webhook: answer.as(schemas.webhook), created: true, ...answer.as(schemas.secret) }
      },
    },
    deleteWebhook: {
      execute: async ({ name }) => {
        await server.ask({ method: 'DELETE', path: pathOfWebhook(name), doneBefore: isGone })
      },
    },
    rotateWebhookSecret: {
      execute: async ({ name, revoke }) => {
        const path = pathOfWebhook(name, 'rotate')
        const answer = await server.ask({ method: 'POST', path, json: { revoke } })
        return { webhook: answer.as(schemas.webhook), ...answer.as(schemas.secret) }
      },
    },
    redeliverEvents: {
      execute: async ({ name, after, since, parked }) => {
        const path = pathOfWebhook(name, 'redeliver')
        return (await server.ask({ method: 'POST', path, json: { after, since, parked } })).as(schemas.redelivery)
      },
    },
  }
}
