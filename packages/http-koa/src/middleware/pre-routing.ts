import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { MalformedRequest } from '@rollcall/core'
import type { AppMiddleware, Context } from '../exchange.ts'
import { hasBody } from '../reading/request-body.ts'
import { sendNothing } from '../send.ts'
import { everyMethod } from './fallbacks.ts'

/** What every request passes, whatever its path. One Koa middleware, because each one costs every request. */
export const preRouting =
  ({ trace }: { readonly trace: boolean }): AppMiddleware =>
  (ctx, next) => {
    refuseBrokenRequest(ctx, normaliseTarget(ctx))
    if (ctx.req.url === '*') return describeServer(ctx, trace)
    if (trace && ctx.req.method === 'TRACE') return reflectTrace(ctx)
    return next()
  }

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Reduces a request target in absolute form to its path; every server must accept it (RFC 9112 section 3.2.2).
 * @returns what is wrong with its authority
 */
const normaliseTarget = (ctx: Context): string | undefined => {
  const { url = '' } = ctx.req
  if (url.startsWith('/')) return undefined
  const [whole, authority = '', path = ''] = ABSOLUTE.exec(url) ?? []
  if (whole === undefined) return undefined
  ctx.url = path.startsWith('/') ? path : `/${path}`
  return authorityProblem(authority)
}

/** @see RFC 9110 sections 4.2.1 and 4.2.4 */
const authorityProblem = (authority: string): string | undefined => {
  if (authority.includes('@')) return 'Leave user and password out of the URL; send a token as Authorization.'
  if (authority === '' || authority.startsWith(':')) return 'Request a URL with a host.'
  return isHost(authority) ? undefined : 'Request a URL with a valid host, and optionally a port.'
}

/** `OPTIONS *`: which methods the server as a whole supports (RFC 9110 section 9.3.7). */
const describeServer = (ctx: Context, trace: boolean): void => {
  ctx.res.setHeader('Allow', everyMethod(trace).join(', '))
  sendNothing(ctx)
}

/**
 * RFC 9110 section 9.3.8: secrets are not sent back; nor is what proxies, identity-aware ones too, and gateways added,
 * which is not the client's.
 */
const WITHHELD = new RegExp(
  `^(?:${[
    'authorization|proxy-authorization|cookie|(?:x-)?api-key|x-(?:auth|access|csrf|xsrf)-token',
    'forwarded|x-forwarded-.*|x-original-forwarded-for|x-(?:real|client|cluster-client)-ip|x-envoy-.*',
    'true-client-ip|cf-connecting-ip(?:v6)?|(?:x-)?remote-user',
    'x-auth-request-.*|cf-access-.*|x-amzn-(?:oidc|mtls)-.*|x-goog-(?:iap|authenticated-user)-.*',
    'x-ms-(?:client-principal.*|token-.*)|(?:x-)?(?:ssl-)?client-(?:cert.*|verify|(?:[si]-)?dn)',
  ].join('|')})$`,
  'i',
)

/** Sends the request back as it came, on any path. */
const reflectTrace = (ctx: Context): void => {
  const { req, res, originalUrl } = ctx
  if (hasBody(req)) {
    res.setHeader('Connection', 'close')
    throw new MalformedRequest('Send TRACE without a body.')
  }
  const lines = [`TRACE ${originalUrl} HTTP/${req.httpVersion}`]
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i] ?? ''
    if (!WITHHELD.test(name)) lines.push(`${name}: ${req.rawHeaders[i + 1]}`)
  }
  ctx.status = 200
  res.setHeader('Content-Type', 'message/http')
  res.setHeader('Cache-Control', 'no-store')
  ctx.body = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Refuses malformed requests that Node lets through, and closes the connection: where such a request ends is unclear. */
const refuseBrokenRequest = ({ req, res }: Context, inAuthority: string | undefined): void => {
  const problem = framingProblem(req) ?? inAuthority ?? targetProblem(req.method, req.url ?? '')
  if (problem === undefined) return
  res.setHeader('Connection', 'close')
  throw new MalformedRequest(problem)
}

const SINGLE_FIELDS: ReadonlySet<string> = new Set(['host', 'content-type', 'authorization'])
const SINGLE_FIELD_LENGTHS: ReadonlySet<number> = new Set([...SINGLE_FIELDS].map(({ length }) => length))

const framingProblem = ({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined => {
  if (httpVersion === '1.1') {
    if (headers.host === undefined) return 'Send a Host header field.'
  } else if (httpVersion !== '1.0') return 'Use HTTP/1.1.'
  if (headers.host !== undefined && !isHost(headers.host))
    return 'Send a valid Host header field: a host, and optionally a port.'
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (httpVersion === '1.0') return 'Use HTTP/1.1 to send a body in chunks.'
    // Node takes off the chunks and leaves every other coding on, silently.
    if (coding.toLowerCase() !== 'chunked') return 'Use no other Transfer-Encoding than chunked.'
  }
  return repeatedField(rawHeaders)
}

const repeatedField = (rawHeaders: readonly string[]): string | undefined => {
  let seen = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] ?? ''
    if (!SINGLE_FIELD_LENGTHS.has(field.length)) continue
    const name = field.toLowerCase()
    if (!SINGLE_FIELDS.has(name)) continue
    if (seen.includes(name)) return `Send the header field ${field} once.`
    seen += `${name} `
  }
  return undefined
}

const targetProblem = (method: string | undefined, target: string): string | undefined => {
  if (target.includes('#')) return 'Leave out the fragment: it must not be sent to a server.'
  if (target === '*' && method === 'OPTIONS') return undefined
  if (!target.startsWith('/')) return 'Request a path that begins with a slash.'
  if (!target.includes('%')) return undefined
  const query = target.indexOf('?')
  try {
    decodeURIComponent(query < 0 ? target : target.slice(0, query))
    return undefined
  } catch {
    return 'Correct the percent escapes in the path: they must be UTF-8.'
  }
}

const NAMED = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i
const IN_BRACKETS = /^\[(?:([\d.:a-f]+)|v[\da-f]+\.[\w.~!$&'()*+,;=:-]+)\](?::\d*)?$/i

/**
 * Whether the value of a Host field is valid: a name, an address or nothing, and optionally a port.
 * @see RFC 9112 section 3.2, and RFC 3986 section 3.2.2
 */
export const isHost = (value: string): boolean => {
  if (!value.startsWith('[')) return NAMED.test(value)
  const literal = IN_BRACKETS.exec(value)
  return literal !== null && (literal[1] === undefined || isIPv6(literal[1]))
}
