import { SECOND } from '@rollcall/core'
import { isLoopback, parseHttpDate, parseRetryAfter, readWhole, systemClock } from '@rollcall/platform-node'

/** The identity provider does not answer as it should; `message` is for the operator. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
  /** The HTTP status, if an answer came, but with an unusable status. */
  readonly status: number | undefined
  /** Milliseconds that it asks to be left alone for. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly retryAfter?: number } = {},
  ) {
    super(message, options)
    this.status = options.status
    this.retryAfter = options.retryAfter
  }
}

/** For one request, its whole answer included. */
const TIMEOUT = 5 * SECOND
/** Bytes of one answer. */
const LARGEST_ANSWER = 512 * 1024

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Gets one JSON document of the provider, within bounds of time and size; follows no redirect to another origin.
 * @throws {ProviderTrouble}
 */
export const fetchJson = async (url: URL): Promise<unknown> => {
  try {
    const response = await follow(url)
    // Counted after decompression.
    return JSON.parse(utf8.decode(await readWhole(response.body ?? [], LARGEST_ANSWER, tooLong)))
  } catch (error) {
    if (error instanceof ProviderTrouble) throw error
    throw new ProviderTrouble(`The identity provider gave no usable answer at ${url} (${reasonOf(error)}).`, {
      cause: error,
    })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const tooLong = (): ProviderTrouble =>
  new ProviderTrouble(`The identity provider answered with more than ${LARGEST_ANSWER} bytes.`)

const follow = async (url: URL): Promise<Response> => {
  const headers = { Accept: 'application/json' }
  const init = { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT), headers } as const
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await fetch(at, init)
    if (response.status === 200) return response
    await response.body?.cancel()
    if (!REDIRECTS.has(response.status)) throw unusable(response, at)
    const target = URL.parse(response.headers.get('Location') ?? '', at.href)
    if (target?.origin !== url.origin)
      throw new ProviderTrouble(`The identity provider sent from ${at} to another place, which is not followed.`)
    at = target
  }
  throw new ProviderTrouble(`The identity provider redirected ${url} too often.`)
}

const unusable = ({ status, headers }: Response, at: URL): ProviderTrouble => {
  const now = parseHttpDate(headers.get('Date') ?? '') ?? systemClock.now()
  const retryAfter = parseRetryAfter(headers.get('Retry-After'), now)
  const asks = retryAfter === undefined ? {} : { retryAfter }
  return new ProviderTrouble(`The identity provider answered ${status} at ${at}.`, { status, ...asks })
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = (error.cause ?? error) as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}

/**
 * Where the issuer says that its keys are.
 * @throws {ProviderTrouble} it does not say so, or speaks for another issuer
 * @see OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3
 */
export const discover = async (issuer: string): Promise<URL> => {
  const document = await fetchMetadata(new URL(issuer))
  if (typeof document !== 'object' || document === null)
    throw new ProviderTrouble(`What the identity provider ${issuer} publishes is not a discovery document.`)
  const { issuer: named, jwks_uri } = document as { readonly issuer?: unknown; readonly jwks_uri?: unknown }
  // Exactly, or one tenant of a provider could speak for another.
  if (named !== issuer)
    throw new ProviderTrouble(
      `The discovery document of ${issuer} is for another issuer: ${JSON.stringify(named)?.slice(0, 200)}. Configure the issuer exactly as the provider writes it.`,
    )
  return keysAddress(jwks_uri, new URL(issuer))
}

const fetchMetadata = async (issuer: URL): Promise<unknown> => {
  const path = issuer.pathname.replace(/\/$/, '')
  try {
    return await fetchJson(new URL(`${path}/.well-known/openid-configuration`, issuer.origin))
  } catch (error) {
    if (!(error instanceof ProviderTrouble && error.status === 404)) throw error
  }
  // An authorization server that is no OpenID provider; its name stands before the path of the issuer.
  return await fetchJson(new URL(`/.well-known/oauth-authorization-server${path}`, issuer.origin))
}

const keysAddress = (jwksUri: unknown, issuer: URL): URL => {
  const url = typeof jwksUri === 'string' ? URL.parse(jwksUri) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(issuer.hostname))
  if (url !== null && isSafe && `${url.username}${url.password}` === '') return url
  throw new ProviderTrouble(`The identity provider ${issuer} names no https address of its keys (jwks_uri).`)
}
