import { isLoopback, parseHttpDate, parseRetryAfter, systemClock } from '@rollcall/platform-node'

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

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How much a provider is asked, and how long it is believed. Milliseconds, but for the size. */
export const STANDARD_LIMITS = {
  /** For one request, its whole answer included. */
  timeout: 5 * SECOND,
  /** Bytes of one answer. */
  largestAnswer: 512 * 1024,
  /** Between two times that the keys are asked for, whatever tokens come; twice as long after each failure in a row. */
  coolDown: 5 * SECOND,
  /** The longest that becomes after failures. */
  longestBackOff: 30 * SECOND,
  /** The longest time that the provider may ask to be left alone for. */
  longestRetryAfter: HOUR,
  /** Keys of this age are fetched again while they still serve. */
  refreshAfter: 5 * MINUTE,
  /** Keys of this age are used only after the provider was asked. */
  maxAge: 10 * MINUTE,
  /** Keys of this age are not used even if the provider does not answer. */
  staleFor: 24 * HOUR,
  /** The address of the keys is looked up again after this time. */
  rediscoverAfter: 24 * HOUR,
}

export type ProviderLimits = Readonly<typeof STANDARD_LIMITS>

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/** By what one version of a document is recognised. @see RFC 9110 section 8.8 */
export interface Validators {
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

interface FetchedJson {
  readonly document: unknown
  readonly validators: Validators
}

/**
 * Gets one JSON document of the provider; undefined if it is still the one that is known.
 * @throws {ProviderTrouble}
 */
export type FetchJson = (url: URL, known?: Validators) => Promise<FetchedJson | undefined>

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Asks within bounds of time and size, and follows no redirect to another origin. */
export const boundedFetchJson =
  (fetch: Fetch, { timeout, largestAnswer }: ProviderLimits): FetchJson =>
  async (url, known) => {
    const init = { redirect: 'manual', signal: AbortSignal.timeout(timeout) } as const
    try {
      const { response, at } = await follow(url, (at, headers) => fetch(at, { ...init, headers }), known)
      if (response.status === 304) return undefined
      const { headers } = response
      const validators = { url: at.href, etag: headers.get('ETag'), lastModified: headers.get('Last-Modified') }
      return { document: JSON.parse(await textOf(response, largestAnswer)), validators }
    } catch (error) {
      if (error instanceof ProviderTrouble) throw error
      throw new ProviderTrouble(`The identity provider gave no usable answer at ${url} (${reasonOf(error)}).`, {
        cause: error,
      })
    }
  }

type RequestHeaders = Readonly<Record<string, string>>

// A validator says something about the document at its own address only: after a redirect elsewhere it means nothing.
const headersFor = (at: URL, known: Validators | undefined): RequestHeaders => {
  const { etag, lastModified } = known !== undefined && known.url === at.href ? known : NOTHING_KNOWN
  return {
    Accept: 'application/json',
    ...(etag === null ? {} : { 'If-None-Match': etag }),
    ...(lastModified === null ? {} : { 'If-Modified-Since': lastModified }),
  }
}

const NOTHING_KNOWN = { etag: null, lastModified: null }

const isConditional = (headers: RequestHeaders): boolean => 'If-None-Match' in headers || 'If-Modified-Since' in headers

const follow = async (
  url: URL,
  request: (at: URL, headers: RequestHeaders) => Promise<Response>,
  known: Validators | undefined,
): Promise<{ readonly response: Response; readonly at: URL }> => {
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const headers = headersFor(at, known)
    const response = await request(at, headers)
    if (response.status === 200) return { response, at }
    await response.body?.cancel()
    if (response.status === 304 && isConditional(headers)) return { response, at }
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

// Counted as it comes, after decompression: what a header says of the length is only said.
const textOf = async (response: Response, largest: number): Promise<string> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > largest) throw new ProviderTrouble(`The identity provider answered with more than ${largest} bytes.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
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
export const discover = async (issuer: string, fetchJson: FetchJson): Promise<URL> => {
  const document = await fetchMetadata(new URL(issuer), fetchJson)
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

const fetchMetadata = async (issuer: URL, fetchJson: FetchJson): Promise<unknown> => {
  const path = issuer.pathname.replace(/\/$/, '')
  try {
    return (await fetchJson(new URL(`${path}/.well-known/openid-configuration`, issuer.origin)))?.document
  } catch (error) {
    if (!(error instanceof ProviderTrouble && error.status === 404)) throw error
  }
  // An authorization server that is no OpenID provider; its name stands before the path of the issuer.
  return (await fetchJson(new URL(`/.well-known/oauth-authorization-server${path}`, issuer.origin)))?.document
}

const keysAddress = (jwksUri: unknown, issuer: URL): URL => {
  const url = typeof jwksUri === 'string' ? URL.parse(jwksUri) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(issuer.hostname))
  if (url !== null && isSafe && `${url.username}${url.password}` === '') return url
  throw new ProviderTrouble(`The identity provider ${issuer} names no https address of its keys (jwks_uri).`)
}
