import type { Step } from '../exchange.ts'
import { sendJson } from '../send.ts'

/** Whether the process answers at all. */
export const getLiveness: Step = (ctx) => {
  ctx.res.setHeader('Cache-Control', 'no-store')
  sendJson(ctx, 200, '{"status":"alive"}')
}
