import { statsRecord } from '@rollcall/core'
import { callerOf, type Handler } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { sendRepresentation } from '../send.ts'

export const getStats =
  ({ useCases, now = Date.now }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = {
      feed: query.text('feed'),
      from: query.text('from'),
      to: query.text('to'),
      by: query.text('by'),
    }
    query.assertGood()
    const stats = await useCases.showStats.execute(command, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(statsRecord(stats)), now: now() })
  }
