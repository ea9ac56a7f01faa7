import { userRecord } from '@rollcall/core'
import { callerOf, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { list } from '../representations/list.ts'
import { sendRepresentation } from '../send.ts'

export const listUsers =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const fields = fieldsOfQuery(ctx.querystring)
    const command = {
      query: fields.text('query'),
      role: fields.text('role'),
      limit: fields.text('limit'),
      cursor: fields.text('cursor'),
    }
    fields.assertGood()
    const page = await useCases.listUsers.execute(command, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(list(page, userRecord)), audience: 'private', now: now() })
  }
