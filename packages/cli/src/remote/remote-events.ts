import { type DescribedWebhook, type EventType, parseWebhookName, WebhookNotFound } from '@rollcall/core'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** The audit trail and the events, over HTTP. */
export const remoteEvents = (server: RemoteServer) =>
  ({
    listAudit: ({ cursor, limit }) =>
      server.get('listAudit', { limit, after: cursor }, schemas.pageOf(schemas.auditRecord)),
    listEvents: ({ cursor, limit }) =>
      server.get('listEvents', { limit, after: cursor }, schemas.pageOf(schemas.event)),
  }) satisfies Partial<RemoteUseCases>

/** The use cases about the webhooks that events go to, over HTTP. */
export const remoteWebhooks = (server: RemoteServer) => {
  const webhookNamed = (name: string) => ({ name: inPath(WebhookNotFound, name) })
  const getWebhook = async ({ name }: { readonly name: string }): Promise<DescribedWebhook> =>
    await server.get('getWebhook', webhookNamed(name), schemas.webhook)
  return {
    listWebhooks: ({ cursor, limit }) => server.get('listWebhooks', { limit, cursor }, schemas.pageOf(schemas.webhook)),
    getWebhook,
    putWebhook: async ({ name, url, types, enabled }) => {
      const body = { url, types: types as readonly EventType[] | undefined, enabled }
      const answer = await server.ask('putWebhook', { ...webhookNamed(parseWebhookName(name)), body })
      if (answer.status !== 201) return { webhook: await getWebhook({ name }), created: false, secret: undefined }
      return { webhook: answer.as(schemas.webhook), created: true, ...answer.as(schemas.secret) }
    },
    patchWebhook: async ({ name, url, types, enabled }) => {
      const body = { url: url ?? undefined, types: types as readonly EventType[] | null | undefined, enabled }
      return (await server.ask('patchWebhook', { ...webhookNamed(name), body })).as(schemas.webhook)
    },
    deleteWebhook: async ({ name }) => await server.delete('deleteWebhook', webhookNamed(name), WebhookNotFound),
    rotateWebhookSecret: async ({ name, revoke }) => {
      const answer = await server.ask('rotateWebhookSecret', { ...webhookNamed(name), body: { revoke } })
      return { webhook: answer.as(schemas.webhook), ...answer.as(schemas.secret) }
    },
    redeliverEvents: async ({ name, after, since, parked }) => {
      const answer = await server.ask('redeliverEvents', { ...webhookNamed(name), body: { after, since, parked } })
      return answer.as(schemas.redelivery)
    },
  } satisfies Partial<RemoteUseCases>
}
