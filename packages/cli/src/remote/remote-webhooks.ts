import { type DescribedWebhook, type DomainError, parseWebhookName, WebhookNotFound } from '@rollcall/core'
import type { CliUseCases } from '../cli-host.ts'
import { remotePage } from './remote-list.ts'
import { pathOf } from './remote-request.ts'
import type { RemoteServer } from './remote-server.ts'
import { positionIn } from './told-events.ts'
import { toldWebhook } from './told-webhooks.ts'

type WebhookUseCases = Pick<
  CliUseCases,
  'deleteWebhook' | 'getWebhook' | 'listWebhooks' | 'putWebhook' | 'redeliverEvents' | 'rotateWebhookSecret'
>

const pathOfWebhook = (name: string, ...rest: readonly string[]): string => {
  const path = pathOf('webhooks', name, ...rest)
  if (path === undefined) throw new WebhookNotFound()
  return path
}

// Once an answer was lost, it may have been the one that said it is gone; what was ordered is so in any case.
const isGone = (error: DomainError): boolean => error instanceof WebhookNotFound

/** The use cases about webhooks, over HTTP. */
export const remoteWebhooks = (server: RemoteServer): WebhookUseCases => {
  const find = async (name: string): Promise<DescribedWebhook> =>
    toldWebhook((await server.ask({ method: 'GET', path: pathOfWebhook(name) })).told())
  return {
    listWebhooks: { execute: (request) => remotePage(server, { path: '/webhooks', item: toldWebhook }, request) },
    getWebhook: { execute: ({ name }) => find(name) },
    putWebhook: {
      execute: async ({ name, url, types, enabled }) => {
        const path = pathOfWebhook(parseWebhookName(name))
        const answer = await server.ask({ method: 'PUT', path, json: { url, types, enabled } })
        if (answer.status !== 201) return { webhook: await find(name), created: false, secret: undefined }
        const told = answer.told()
        return { webhook: toldWebhook(told), created: true, secret: told.text('secret') }
      },
    },
    deleteWebhook: {
      execute: async ({ name }) => {
        await server.ask({ method: 'DELETE', path: pathOfWebhook(name), doneBefore: isGone })
      },
    },
    rotateWebhookSecret: {
      execute: async ({ name, revoke }) => {
        const told = (
          await server.ask({ method: 'POST', path: pathOfWebhook(name, 'rotate'), json: { revoke } })
        ).told()
        return { webhook: toldWebhook(told), secret: told.text('secret') }
      },
    },
    redeliverEvents: {
      execute: async ({ name, after, since, parked }) => {
        const path = pathOfWebhook(name, 'redeliver')
        const told = (await server.ask({ method: 'POST', path, json: { after, since, parked } })).told()
        return {
          webhook: told.parsed('webhook', parseWebhookName),
          after: told.has('after') ? positionIn(told, 'after') : undefined,
          retried: told.number('retried'),
        }
      },
    },
  }
}
