import { redeliveryRecord, type Webhook, webhookRecord } from '@rollcall/core'
import { preconditionOn, type Resource } from '../conditional-request.ts'
import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { mergePatch } from '../reading/merge-patch.ts'
import { sendChanged, sendCreated, sendNothing, sendResult } from '../send.ts'
import { getHandler, listHandler, pagingOf } from './resource.ts'

const WEBHOOK: Resource<Webhook> = { record: webhookRecord, lastModified: ({ updatedAt }) => updatedAt }

export const listWebhooks = (options: HttpOptions): Handler =>
  listHandler(options, ({ listWebhooks }) => listWebhooks, pagingOf, webhookRecord)

export const getWebhook = (options: HttpOptions): Handler =>
  getHandler(options, WEBHOOK, ({ getWebhook }) => getWebhook, 'name')

/** The answer that creates a webhook is the only one that contains its secret. */
export const putWebhook =
  ({ useCases, publicUrl }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const command = {
      name: pathParameter(ctx, 'name'),
      url: fields.text('url'),
      types: fields.texts('types'),
      enabled: fields.flag('enabled'),
      precondition: preconditionOn(WEBHOOK, ctx, fields),
    }
    const { webhook, created, secret } = await useCases.putWebhook.execute(command, callerOf(ctx))
    if (created) sendCreated(ctx, publicUrl, `/webhooks/${webhook.name}`, { ...webhookRecord(webhook), secret })
    else sendNothing(ctx)
  }

export const patchWebhook =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const patch = mergePatch(fields)
    const command = {
      name: pathParameter(ctx, 'name'),
      url: patch.keptText('url'),
      types: patch.texts('types'),
      enabled: patch.flag('enabled'),
      precondition: preconditionOn(WEBHOOK, ctx, fields),
    }
    sendChanged(ctx, webhookRecord(await useCases.patchWebhook.execute(command, callerOf(ctx))))
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
