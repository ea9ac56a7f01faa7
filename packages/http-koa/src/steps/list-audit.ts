import { auditEntryRecord } from '@rollcall/core'
import { callerOf, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { fieldsOfQuery } from '../reading/fields.ts'
import { list } from '../representations/list.ts'
import { sendRepresentation } from '../send.ts'

export const listAudit =
  ({ useCases, now = Date.now }: HttpOptions): Step =>
  async (ctx) => {
    const fields = fieldsOfQuery(ctx.querystring)
    const command = { limit: fields.text('limit'), cursor: fields.text('after') }
    fields.assertGood()
    const page = await useCases.listAudit.execute(command, callerOf(ctx))
    sendRepresentation(ctx, { body: JSON.stringify(list(page, auditEntryRecord)), audience: 'private', now: now() })
  }
