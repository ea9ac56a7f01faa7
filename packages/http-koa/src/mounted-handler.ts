import type { Handler, RouteContext } from './exchange.ts'
import type { MountedAnswer, MountedInterface } from './mounted-interface.ts'
import { readTypedBody } from './reading/request-body.ts'

/** Answers as another interface on the same port does. */
export const mountedHandler =
  (mounted: MountedInterface): Handler =>
  async (ctx) => {
    ctx._matchedRoute = mounted.routeOf(ctx.path)
    const answer = await mounted.answer({
      method: ctx.method,
      path: ctx.path.slice(mounted.path.length),
      query: ctx.querystring,
      headers: ctx.req.headers,
      requestId: ctx.state.rollcall.requestId,
      body: () => readTypedBody(ctx, mounted.bodyTypes),
    })
    sendMounted(ctx, answer)
  }

export const sendMounted = (ctx: Pick<RouteContext, 'body' | 'res' | 'status'>, answer: MountedAnswer): void => {
  ctx.status = answer.status
  for (const [name, value] of Object.entries(answer.headers)) ctx.res.setHeader(name, value)
  ctx.body = answer.body ?? null
}

/** The other interface, if the path is below it. */
export const mountedAt = (path: string, mounted: MountedInterface | undefined): MountedInterface | undefined =>
  mounted !== undefined && (path === mounted.path || path.startsWith(`${mounted.path}/`)) ? mounted : undefined
