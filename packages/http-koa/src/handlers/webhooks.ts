import { redeliveryRecord, type Webhook, webhookRecord } from '@rollcall/core'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import { basePathOf, type HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendCreated, sendNothing, sendResult } from '../send.ts'
import { getHandler, listHandler, pagingOf, preconditionOn, type Resource } from './resource.ts'

const WEBHOOK: Resource<Webhook> = { record: webhookRecord, lastModified: ({ updatedAt }) => updatedAt }

export const listWebhooks = (options: HttpOptions): Handler =>
  listHandler(options, {
    command: (query) => pagingOf(query),
    page: (command, caller) => options.useCases.listWebhooks.execute(command, caller),
    record: webhookRecord,
  })

export const getWebhook = (options: HttpOptions): Handler =>
  getHandler(options, WEBHOOK, (ctx) =>
    options.useCases.getWebhook.execute({ name: pathParameter(ctx, 'name') }, callerOf(ctx)),
  )

/** The answer that creates a webhook is the only one that contains its secret. */
export const putWebhook = ({ useCases, publicUrl }: HttpOptions): Handler => {
  const base = basePathOf(publicUrl)
  return async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      url: fields.text('url'),
      types: fields.texts('types'),
      enabled: fields.flag('enabled'),
      precondition: preconditionOn(WEBHOOK, ctx, fields),
    }
    const { webhook, created, secret } = await useCases.putWebhook.execute(command, callerOf(ctx))
    const body = () => JSON.stringify({ ...webhookRecord(webhook), secret })
    if (created) sendCreated(ctx, `${base}/webhooks/${webhook.name}`, body())
    else sendNothing(ctx)
  }
}

export const deleteWebhook =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const precondition = preconditionOn(WEBHOOK, ctx, fieldsOfQuery(ctx.querystring))
    await useCases.deleteWebhook.execute({ name: pathParameter(ctx, 'name'), precondition }, callerOf(ctx))
    sendNothing(ctx)
  }

/** Answers with the webhook and its new secret, which no other answer contains. */
export const rotateWebhookSecret =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = { name: pathParameter(ctx, 'name'), revoke: fields.flag('revoke') }
    fields.assertGood()
    const { webhook, secret } = await useCases.rotateWebhookSecret.execute(command, callerOf(ctx))
    sendResult(ctx, { ...webhookRecord(webhook), secret })
  }

export const redeliverEvents =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      after: fields.text('after'),
      since: fields.text('since'),
      parked: fields.flag('parked'),
    }
    fields.assertGood()
    const redelivery = await useCases.redeliverEvents.execute(command, callerOf(ctx))
    sendResult(ctx, redeliveryRecord(redelivery))
  }
