import { Readable } from 'node:stream'
import { auditEntryRecord, subscriptionRecord, type UserExport, userRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'

/** Everything stored about a user, as one JSON document; streamed, because its part of the trail may be long. */
export const exportUser =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const found = await useCases.exportUser.execute({ userId: pathParameter(ctx, 'userId') }, callerOf(ctx))
    const { req, res } = ctx
    ctx.status = 200
    res.setHeader('Content-Type', 'application/json')
    res.setHeader('Cache-Control', 'private, no-store')
    res.setHeader('Vary', 'Authorization')
    res.setHeader('Content-Disposition', 'attachment; filename="user.json"')
    // Node says so by itself, but not to HEAD.
    if (req.httpVersion === '1.1') res.setHeader('Transfer-Encoding', 'chunked')
    ctx.body = Readable.from(documentOf(found))
  }

async function* documentOf({ user, subscriptions, audit }: UserExport): AsyncGenerator<string> {
  const head = JSON.stringify({ user: userRecord(user), subscriptions: subscriptions.map(subscriptionRecord) })
  yield `${head.slice(0, -1)},"audit":[`
  let between = ''
  for await (const record of audit) {
    yield `${between}${JSON.stringify(auditEntryRecord(record))}`
    between = ','
  }
  yield ']}'
}
