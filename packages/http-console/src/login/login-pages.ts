import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Unauthenticated } from '@rollcall/core'
import { html } from '@rollcall/platform-node'
import { ConsoleError } from '../console-error.ts'
import type { ConsoleOptions } from '../console-options.ts'
import { readForm, USUAL_BODY } from '../form-body.ts'
import { Cookie } from '../guard/cookies.ts'
import { notice } from '../parts/parts.ts'
import type { Answer } from '../visit.ts'
import { type LoginRefusal, loginRefusalOf } from './login-refusal.ts'
import { LONGEST_LOGIN, type LoginAttempt, LoginTimeNotSaid, ProviderRefused } from './provider-login.ts'

/** One request of a browser that need not be logged in. */
export interface Arrival {
  readonly options: ConsoleOptions
  readonly request: IncomingMessage
  readonly origin: string
  readonly path: string
  readonly query: URLSearchParams
  readonly requestId: string
}

const SESSION = 'rollcall-console'
const ATTEMPT = 'rollcall-login'
/** What its cookie ends with if the provider was to ask once more. */
const AGAIN = 'again'
const SECRET = /^\/login\/([0-9a-f]{64})$/

export const sessionCookie = (origin: string): Cookie => new Cookie(SESSION, origin)

/** Of the paths that have one name only. */
export const LOGIN_METHODS: Readonly<Record<string, readonly string[]>> = {
  '/login': ['GET', 'HEAD', 'POST'],
  '/login/provider': ['POST'],
  '/login/callback': ['GET', 'HEAD'],
}

/** What can be asked for without a session; undefined for anything else. A login that is refused is counted. */
export const loginAnswer = async (arrival: Arrival): Promise<Answer | undefined> => {
  try {
    return await answerTo(arrival)
  } catch (error) {
    if (error instanceof Unauthenticated) count(arrival, error)
    throw error
  }
}

const count = ({ options, requestId }: Arrival, error: Unauthenticated): void => {
  const { failedCheck: failed_check, cause: err } = error
  const reason = loginRefusalOf(error)
  options.log.warn({ request_id: requestId, reason, failed_check, err }, 'a login to the console was refused')
  options.onLoginRefused?.(reason)
}

const answerTo = async (arrival: Arrival): Promise<Answer | undefined> => {
  const { request, path } = arrival
  const isPost = request.method === 'POST'
  if (path === '/login') return isPost ? await redeem(arrival) : loginPage(arrival)
  if (path === '/login/provider' && isPost) return await goToProvider(arrival)
  if (path === '/login/callback' && !isPost) return await comeBack(arrival)
  const [, secret] = SECRET.exec(path) ?? []
  return secret === undefined || isPost ? undefined : linkPage(arrival, secret)
}

const loginPage = ({ options, query }: Arrival): Answer => {
  const { login } = options.texts
  const said = query.get('out') === null ? undefined : notice('done', login.out)
  const to = ownPath(query.get('to'))
  const again = query.has('again')
  const provider =
    options.provider &&
    html`<form method="post" action="/login/provider"><input type="hidden" name="to" value="${to}">${again && html`<input type="hidden" name="again" value="yes">`}
<button type="submit">${login.provider}</button></form>
<p class="quiet">${login.otherwise}</p>`
  const content = html`${said}${provider}<p>${login.hint}</p><pre><code>rollcall console login</code></pre>`
  return { page: { title: login.title, content, formTargets: options.provider?.formTargets } }
}

/** A mail scanner, or a browser that looks ahead, may get it: nothing happens until the button is pressed. */
const linkPage = ({ options }: Arrival, secret: string): Answer => {
  const { login } = options.texts
  const content = html`<p>${login.linkIntro}</p>
<form method="post" action="/login"><input type="hidden" name="link" value="${secret}">
<button type="submit" autofocus>${login.button}</button></form>`
  return { page: { title: login.title, content } }
}

const redeem = async (arrival: Arrival): Promise<Answer> => {
  const form = await readForm(arrival.request, USUAL_BODY)
  return await begun(arrival, { link: form.text('link') }, '/')
}

type Proof =
  | { readonly link: string }
  | { readonly token: string; readonly subject: string; readonly loggedInAt: number | undefined }

const begun = async ({ options, request, origin, requestId }: Arrival, proof: Proof, to: string): Promise<Answer> => {
  const cookie = sessionCookie(origin)
  const previous = cookie.read(request)
  const { secret } = await options.useCases.beginConsoleSession.execute({ ...proof, previous, requestId })
  return { to, cookies: [cookie.setting(secret), new Cookie(ATTEMPT, origin).removal] }
}

const goToProvider = async (arrival: Arrival): Promise<Answer> => {
  const { options, request, origin } = arrival
  const form = await readForm(request, USUAL_BODY)
  if (options.provider === undefined) throw new ConsoleError('NotFound', options.texts.errors.NotFound)
  const { url, attempt } = await refusedGently(
    arrival,
    options.provider.begin(`${origin}/login/callback`, form.has('again')),
  )
  const { state, nonce, verifier, again } = attempt
  const to = Buffer.from(ownPath(form.text('to'))).toString('base64url')
  const value = [state, nonce, verifier, to, ...(again ? [AGAIN] : [])].join('.')
  return { to: url.href, cookies: [new Cookie(ATTEMPT, origin).setting(value, LONGEST_LOGIN)] }
}

const comeBack = async (arrival: Arrival): Promise<Answer> => {
  const { options, request, origin, path, query } = arrival
  const [state, nonce, verifier, to = '', again] = new Cookie(ATTEMPT, origin).read(request)?.split('.') ?? []
  if (options.provider === undefined || !state || !nonce || !verifier)
    throw refused(arrival, 'state', options.texts.login.notBegunHere)
  const attempt: LoginAttempt = { state, nonce, verifier, again: again === AGAIN }
  const answer = new URL(`${origin}${path}?${query}`)
  const { accessToken, ...said } = await refusedGently(arrival, options.provider.finish(answer, attempt))
  return await begun(arrival, { ...said, token: accessToken }, ownPath(Buffer.from(to, 'base64url').toString()))
}

/** The browser gets to know that it did not work; why is for the operator. */
const refusedGently = async <T>(arrival: Arrival, work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const { login } = arrival.options.texts
    throw refused(arrival, 'provider', error instanceof LoginTimeNotSaid ? login.timeNotSaid : login.refused, error)
  }
}

/** A login of which the core got nothing to decide: it only has it on record. */
const refused = (
  { options, requestId }: Arrival,
  failedCheck: LoginRefusal,
  message: string,
  cause?: ProviderRefused,
): Unauthenticated => {
  const error = new Unauthenticated(message, { tokenRefused: true, failedCheck, cause })
  return options.useCases.beginConsoleSession.refused(error, { requestId })
}

/** A path of the console, and no way out of it: asked for it again, it gives the same. */
export const ownPath = (text: string | null): string => {
  const base = `http://${randomUUID()}.invalid`
  const url = text?.startsWith('/') ? URL.parse(text, base) : null
  // A path such as `/.//x` becomes `//x`, which names a host.
  const isOwn = url?.origin === base && !/^\/(?:\/|login)/.test(url.pathname)
  return isOwn ? `${url.pathname}${url.search}` : '/'
}
