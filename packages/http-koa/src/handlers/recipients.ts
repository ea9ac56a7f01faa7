import { callerOf, type Handler, pathParameter } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { FILE_TYPES } from '../reading/media-type.ts'
import { sendResult, sendStream } from '../send.ts'

export const listRecipients =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const pieces = await useCases.listRecipients.execute({ feed: pathParameter(ctx, 'name') }, callerOf(ctx))
    await sendStream(ctx, { type: FILE_TYPES.ndjson, pieces, cacheControl: 'no-store' })
  }

export const checkRecipients =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const ids = fields.requiredList('ids')
    fields.assertGood()
    const command = { feed: pathParameter(ctx, 'name'), ids: ids as readonly number[] }
    sendResult(ctx, await useCases.checkRecipients.execute(command, callerOf(ctx)))
  }

export const checkSuppressions =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const { fields } = ctx.state.rollcall
    const addresses = fields.requiredList('addresses')
    fields.assertGood()
    const command = { addresses: addresses as readonly string[] }
    sendResult(ctx, await useCases.checkSuppressions.execute(command, callerOf(ctx)))
  }
