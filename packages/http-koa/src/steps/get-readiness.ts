import { RETRY_AFTER } from '../error-response.ts'
import type { Step } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { sendJson } from '../send.ts'

/** Whether this instance does its work; no figures, they would tell who is new. */
export const getReadiness =
  ({ useCases }: HttpOptions): Step =>
  async (ctx) => {
    const { ready, storage, outbox } = await useCases.checkReadiness.execute()
    ctx.res.setHeader('Cache-Control', 'no-store')
    if (!ready) ctx.res.setHeader('Retry-After', RETRY_AFTER)
    sendJson(ctx, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'unavailable', storage, outbox }))
  }
