import { type DescribedWebhook, parseWebhookName, WebhookNotFound } from '@rollcall/core'
import { pathOf } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** The audit trail and the events, over HTTP. */
export const remoteEvents = (server: RemoteServer) =>
  ({
    listAudit: ({ cursor, limit }) =>
      server.get('/audit', schemas.pageOf(schemas.auditRecord), { limit, after: cursor }),
    listEvents: ({ cursor, limit }) => server.get('/events', schemas.pageOf(schemas.event), { limit, after: cursor }),
  }) satisfies Partial<RemoteUseCases>

/** The use cases about the webhooks that events go to, over HTTP. */
export const remoteWebhooks = (server: RemoteServer) => {
  const pathOfWebhook = (name: string, ...rest: readonly string[]): string =>
    pathOf(WebhookNotFound, 'webhooks', name, ...rest)
  const getWebhook = async ({ name }: { readonly name: string }): Promise<DescribedWebhook> =>
    await server.get(pathOfWebhook(name), schemas.webhook)
  return {
    listWebhooks: ({ cursor, limit }) => server.get('/webhooks', schemas.pageOf(schemas.webhook), { limit, cursor }),
    getWebhook,
    putWebhook: async ({ name, url, types, enabled }) => {
      const path = pathOfWebhook(parseWebhookName(name))
      const answer = await server.ask({ method: 'PUT', path, json: { url, types, enabled } })
      if (answer.status !== 201) return { webhook: await getWebhook({ name }), created: false, secret: undefined }
      return { webhook: answer.as(schemas.webhook), created: true, ...answer.as(schemas.secret) }
    },
    deleteWebhook: async ({ name }) => await server.delete(pathOfWebhook(name), WebhookNotFound),
    rotateWebhookSecret: async ({ name, revoke }) => {
      const path = pathOfWebhook(name, 'rotate')
      const answer = await server.ask({ method: 'POST', path, json: { revoke } })
      return { webhook: answer.as(schemas.webhook), ...answer.as(schemas.secret) }
    },
    redeliverEvents: async ({ name, after, since, parked }) => {
      const path = pathOfWebhook(name, 'redeliver')
      return (await server.ask({ method: 'POST', path, json: { after, since, parked } })).as(schemas.redelivery)
    },
  } satisfies Partial<RemoteUseCases>
}
