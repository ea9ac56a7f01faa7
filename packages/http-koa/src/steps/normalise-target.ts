import type { Context } from '../exchange.ts'

const ABSOLUTE = /^https?:\/\/[^/?#]*/i

/** Makes a path of a request target that is a whole URL, which every server must take (RFC 9112 section 3.2.2). */
export const normaliseTarget = (ctx: Context): void => {
  const { url = '' } = ctx.req
  if (!url.startsWith('/') && ABSOLUTE.test(url)) {
    const path = url.replace(ABSOLUTE, '')
    ctx.url = path.startsWith('/') ? path : `/${path}`
  }
}
