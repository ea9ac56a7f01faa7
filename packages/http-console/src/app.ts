import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Unauthenticated, Unavailable } from '@rollcall/core'
import { hasErrorCode, requestIdOf, STRICT_TRANSPORT } from '@rollcall/platform-node'
import Koa, { type Context } from 'koa'
import { ConsoleError } from './console-error.ts'
import type { ConsoleOptions } from './console-options.ts'
import { errorPage, notFound } from './error-page.ts'
import { Form, LARGE_BODY, readForm, USUAL_BODY } from './form-body.ts'
import { requestOrigin, requireOwnPage } from './guard/request-origin.ts'
import { Imports } from './imports.ts'
import { layout } from './layout.ts'
import { type Arrival, LOGIN_METHODS, loginAnswer, sessionCookie } from './login/login-pages.ts'
import { withQuery } from './parts/parts.ts'
import { methodsOf, READING, routeFor } from './routes.ts'
import { SCRIPT } from './script.ts'
import { styleSheet } from './style-sheet.ts'
import { traced } from './traced.ts'
import { Verifications } from './verifications.ts'
import type { Answer, Page, Visit } from './visit.ts'

interface Asset {
  readonly body: string
  readonly zipped: Buffer
  readonly type: string
  readonly tag: string
}

const asset = (body: string, type: string): Asset => ({
  type,
  body,
  zipped: gzipSync(body, { level: 9 }),
  tag: hash('sha256', body, 'base64url'),
})

const methodsAt = (path: string): readonly string[] => {
  const methods = LOGIN_METHODS[path] ?? methodsOf(path)
  return methods.length > 0 ? methods : [...READING, 'POST']
}

const OF_GONE_BROWSERS = ['ECONNRESET', 'EPIPE', 'ECANCELED', 'ERR_STREAM_PREMATURE_CLOSE']

/** The console as a Koa application: only ever on a port of its own. */
export const createConsoleApp = (options: ConsoleOptions): Koa => {
  const assets = new Map([
    ['/style.css', asset(styleSheet(options.theme), 'text/css; charset=utf-8')],
    ['/script.js', asset(SCRIPT, 'text/javascript; charset=utf-8')],
  ])
  const kept = { verifications: new Verifications(options.useCases, options.now), imports: new Imports() }
  const app = new Koa()
  if (options.tracing !== undefined) app.use(traced(options.tracing))
  app.use(async (ctx) => {
    const requestId = requestIdOf(ctx.req)
    secure(ctx, requestId)
    try {
      const origin = requestOrigin(ctx.req, options.url)
      if (origin.startsWith('https:')) ctx.set('Strict-Transport-Security', STRICT_TRANSPORT)
      const found = assets.get(ctx.path)
      const methods = found === undefined ? methodsAt(ctx.path) : READING
      if (!methods.includes(ctx.method))
        throw new ConsoleError('MethodNotAllowed', options.texts.errors.MethodNotAllowed, { Allow: methods.join(', ') })
      if (ctx.method === 'POST') requireOwnPage(ctx.req, origin)
      if (found !== undefined) return sendAsset(ctx, found)
      const query = new URLSearchParams(ctx.querystring)
      const arrival: Arrival = { options, request: ctx.req, origin, path: ctx.path, query, requestId }
      const answer = await loginAnswer(arrival)
      if (answer !== undefined) return send(ctx, options, answer, undefined)
      await sessionAnswer(ctx, arrival, kept)
    } catch (error) {
      // Nothing of the body may be taken for the next request.
      if (!ctx.req.complete) ctx.set('Connection', 'close')
      sendError(ctx, { options, requestId }, error, undefined)
    } finally {
      // Neither the path nor the query: they may hold the secret of a link, or what a person typed.
      options.log.debug({ request_id: requestId, method: ctx.method, status: ctx.status }, 'a request of the console')
    }
  })
  const told = new WeakSet<Error>()
  // An answer has begun. Mostly the browser went away; anything else is a defect. Koa says it twice.
  app.on('error', (error: Error, ctx?: Context) => {
    if (told.has(error)) return
    told.add(error)
    if (hasErrorCode(error, ...OF_GONE_BROWSERS)) options.log.debug({ err: error }, 'a connection of the console broke')
    else options.log.error({ err: error, request_id: ctx?.response.get('X-Request-Id') }, 'an answer broke off')
  })
  return app
}

const sessionAnswer = async (
  ctx: Context,
  arrival: Arrival,
  kept: Pick<Visit, 'verifications' | 'imports'>,
): Promise<void> => {
  const { options, origin, path, query, requestId } = arrival
  const cookie = sessionCookie(origin)
  const secret = cookie.read(ctx.req)
  const resumed = await options.useCases.resumeConsoleSession
    .execute({ secret, requestId })
    .catch((error: unknown) => (error instanceof Unauthenticated ? undefined : Promise.reject(error)))
  if (resumed === undefined) {
    if (secret !== undefined) ctx.append('Set-Cookie', cookie.removal)
    if (ctx.method === 'POST') throw new Unauthenticated(options.texts.errors.over, { tokenRefused: true })
    const to = path === '/' ? undefined : withQuery(path, Object.fromEntries(query))
    return send(ctx, options, { to: withQuery('/login', { to }) }, undefined)
  }
  const route = routeFor(ctx.method === 'HEAD' ? 'GET' : ctx.method, path)
  const form = ctx.method === 'POST' ? await readForm(ctx.req, route?.isLarge ? LARGE_BODY : USUAL_BODY) : new Form()
  const params = route?.params ?? {}
  const permitted = await options.useCases.access.permitted(resumed.caller)
  const visit: Visit = { ...resumed, permitted, options, path, query, form, params, ...kept }
  try {
    if (route === undefined) throw notFound(options)
    send(ctx, options, await begun(await route.handler(visit)), visit)
    if (path !== '/logout') return
    ctx.append('Set-Cookie', cookie.removal)
    ctx.set('Clear-Site-Data', LEFT_BEHIND)
  } catch (error) {
    sendError(ctx, arrival, error, visit)
  }
}

/** Cookies would be those of all names below the same domain: our own is removed by itself. */
const LEFT_BEHIND = '"cache", "storage"'

/** Seconds until storage that is gone is asked for again. */
const RETRY_AFTER = '5'

const sendError = (
  ctx: Context,
  { options, requestId }: Pick<Arrival, 'options' | 'requestId'>,
  error: unknown,
  visit: Visit | undefined,
): void => {
  if (error instanceof ConsoleError) ctx.set(error.headers)
  if (error instanceof Unavailable) ctx.set('Retry-After', RETRY_AFTER)
  sendPage(ctx, options, errorPage(error, options, requestId, ctx.method === 'POST'), visit)
}

const secure = (ctx: Context, requestId: string): void =>
  ctx.set({
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Request-Id': requestId,
    'Content-Security-Policy': policy(),
  })

const policy = ({ formTargets = [], frames = false }: Pick<Page, 'formTargets' | 'frames'> = {}): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    'font-src data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    ...(frames ? ["frame-src 'self'"] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const sendAsset = (ctx: Context, { body, zipped, type, tag }: Asset): void => {
  const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  ctx.vary('Accept-Encoding')
  // It says nothing of anybody, but may change with the next start.
  ctx.set({ 'Cache-Control': 'no-cache', ETag: isZipped ? `"${tag}-gzip"` : `"${tag}"`, 'Content-Type': type })
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (isZipped) ctx.set('Content-Encoding', 'gzip')
  ctx.body = isZipped ? zipped : body
}

const sendPage = (ctx: Context, options: ConsoleOptions, page: Page, visit: Visit | undefined): void => {
  ctx.status = page.status ?? 200
  if (page.formTargets || page.frames) ctx.set('Content-Security-Policy', policy(page))
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.body = layout(options, page, visit)
}

/** With the first piece of a file: what goes wrong before it is there is answered with a page. */
const begun = async (answer: Answer): Promise<Answer> => {
  if (!('file' in answer) || typeof answer.file === 'string') return answer
  const pieces = answer.file[Symbol.asyncIterator]()
  const first = await pieces.next()
  const file = async function* (): AsyncIterable<string> {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  return { ...answer, file: file() }
}

const send = (ctx: Context, options: ConsoleOptions, answer: Answer, visit: Visit | undefined): void => {
  if ('file' in answer) {
    ctx.status = 200
    ctx.set('Content-Type', answer.type)
    if (answer.name) ctx.set('Content-Disposition', `attachment; filename="${answer.name}"`)
    if (answer.policy) ctx.set('Content-Security-Policy', answer.policy)
    if (answer.framed) ctx.set('X-Frame-Options', 'SAMEORIGIN')
    ctx.body = typeof answer.file === 'string' ? answer.file : Readable.from(answer.file)
    return
  }
  for (const each of answer.cookies ?? []) ctx.append('Set-Cookie', each)
  if ('page' in answer) {
    sendPage(ctx, options, answer.page, visit)
    return
  }
  ctx.status = 303
  ctx.set('Location', answer.to)
  ctx.body = ''
}
