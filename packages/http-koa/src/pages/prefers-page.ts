import type { Context } from '../exchange.ts'

const JSON_FIRST = ['application/json', 'text/html']

/** Whether the client would rather have HTML than JSON; who does not care gets JSON. */
export const prefersPage = (ctx: Context): boolean => {
  const { accept } = ctx.req.headers
  // Programs mostly send none, or one that has nothing of text: not worth a closer look.
  return accept !== undefined && /text\//i.test(accept) && ctx.accepts(JSON_FIRST) === 'text/html'
}
