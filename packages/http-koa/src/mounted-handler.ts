import type { Handler, RouteContext } from './exchange.ts'
import type { MountedAnswer, MountedInterface } from './mounted-interface.ts'
import { readTypedBody } from './reading/request-body.ts'

/** Answers as another interface on the same port does. */
export const mountedHandler =
  (mounted: MountedInterface): Handler =>
  async (ctx) => {
    const path = restOf(ctx)
    ctx._matchedRoute = mounted.routeOf(`${mounted.path}${path}`)
    const answer = await mounted.answer({
      method: ctx.method,
      path,
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

/** Behind the path of the interface, as it came. What is before may be the prefix of a router, of any length. */
const restOf = ({ routerPath, captures }: RouteContext): string =>
  routerPath?.endsWith(REST) ? `/${captures?.at(-1)}` : ''

const REST = '/*rest'

/** The other interface, if the path is below it, or its route took the request: that of a router with a prefix, too. */
export const mountedAt = (
  { path, routerPath }: { readonly path: string; readonly routerPath?: string | undefined },
  mounted: MountedInterface | undefined,
): MountedInterface | undefined => {
  if (mounted === undefined) return undefined
  const isBelow = path === mounted.path || path.startsWith(`${mounted.path}/`)
  return isBelow || ['', REST].some((end) => routerPath?.endsWith(`${mounted.path}${end}`)) ? mounted : undefined
}
