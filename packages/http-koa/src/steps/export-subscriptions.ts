import { parseRecordFormat } from '@rollcall/core'
import { callerOf, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { FILE_TYPES } from '../reading/media-type.ts'
import { sendStream } from '../send-stream.ts'

export const exportSubscriptions =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = { feed: query.text('feed'), status: query.text('status'), format: query.text('format') }
    query.assertGood()
    const pieces = await useCases.exportSubscriptions.execute(command, callerOf(ctx))
    const format = parseRecordFormat(command.format)
    ctx.res.setHeader('Content-Disposition', `attachment; filename="subscriptions.${format}"`)
    await sendStream(ctx, { type: FILE_TYPES[format], pieces })
  }
