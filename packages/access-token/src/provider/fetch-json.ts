/** The identity provider does not answer as it should; `message` is for the operator. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
  /** The HTTP status, where an answer came, but with an unusable status. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How much a provider is asked, and how long it is believed. Milliseconds, but for the size. */
export interface ProviderLimits {
  /** For one request, its whole answer included. */
  readonly timeout: number
  /** Bytes of one answer. */
  readonly largestAnswer: number
  /** Between two times that the keys are asked for, whatever came of the first and whatever tokens come. */
  readonly coolDown: number
  /** Keys of this age are fetched again while they still serve. */
  readonly refreshAfter: number
  /** Keys of this age are used no more without having asked, */
  readonly maxAge: number
  /** and if the provider does not answer, up to this age. */
  readonly staleFor: number
  /** The address of the keys is looked up again after this time. */
  readonly rediscoverAfter: number
}

export const STANDARD_LIMITS: ProviderLimits = {
  timeout: 5 * SECOND,
  largestAnswer: 512 * 1024,
  coolDown: 30 * SECOND,
  refreshAfter: 5 * MINUTE,
  maxAge: 10 * MINUTE,
  staleFor: 24 * HOUR,
  rediscoverAfter: 24 * HOUR,
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/** Gets one JSON document of the provider. @throws {ProviderTrouble} */
export type FetchJson = (url: URL) => Promise<unknown>

const MOST_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Asks within bounds of time and size, and follows no redirect to another origin. */
export const boundedFetchJson =
  (fetch: Fetch, { timeout, largestAnswer }: ProviderLimits): FetchJson =>
  async (url) => {
    const init: RequestInit = {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: { Accept: 'application/json' },
    }
    try {
      const response = await follow(url, (at) => fetch(at, init))
      return JSON.parse(await textOf(response, largestAnswer))
    } catch (error) {
      if (error instanceof ProviderTrouble) throw error
      throw new ProviderTrouble(`The identity provider gave no usable answer at ${url} (${reasonOf(error)}).`, {
        cause: error,
      })
    }
  }

const follow = async (url: URL, request: (at: URL) => Promise<Response>): Promise<Response> => {
  let at = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await request(at)
    if (response.status === 200) return response
    await response.body?.cancel()
    if (!REDIRECTS.has(response.status))
      throw new ProviderTrouble(`The identity provider answered ${response.status} at ${at}.`, response)
    const target = URL.parse(response.headers.get('Location') ?? '', at.href)
    if (target?.origin !== url.origin)
      throw new ProviderTrouble(`The identity provider sent from ${at} to another place, which is not followed.`)
    at = target
  }
  throw new ProviderTrouble(`The identity provider redirected ${url} too often.`)
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
