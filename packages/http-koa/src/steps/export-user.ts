import { auditEntryRecord, subscriptionRecord, type UserExport, userRecord } from '@rollcall/core'
import { callerOf, pathParameter, type Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendStream } from '../send-stream.ts'

/** Everything stored about a user, as one JSON document; streamed, because its part of the trail may be long. */
export const exportUser =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const found = await useCases.exportUser.execute({ userId: pathParameter(ctx, 'userId') }, callerOf(ctx))
    ctx.res.setHeader('Content-Disposition', 'attachment; filename="user.json"')
    await sendStream(ctx, { type: 'application/json', cacheControl: 'private, no-store', pieces: documentOf(found) })
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
