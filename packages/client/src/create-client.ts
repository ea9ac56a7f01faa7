import { ROUTES } from '../generated/routes.ts'
import { Answer, type Success } from './answer.ts'
import { Retries, retryAfterOf, TRANSIENT } from './retry.ts'
import type { RollcallError } from './rollcall-error.ts'
import { type AnyParams, Route } from './route.ts'
import type { CallOptions, Client, ClientOptions, OperationId } from './types.ts'

/** A client for the service at `url`. It keeps nothing between calls. */
export const createClient = (options: ClientOptions): Client => {
  const sender = new Sender(options)
  const methods: Record<string, unknown> = {}
  const tries: Record<string, unknown> = {}
  for (const id of Object.keys(ROUTES) as OperationId[]) {
    const route = new Route(id)
    methods[id] = methodOf(sender, route)
    tries[id] = (params?: AnyParams, call?: CallOptions) => sender.ask(route, params, call)
  }
  const send = async (id: OperationId, params?: AnyParams, call?: CallOptions) =>
    await sender.send(new Route(id), params, call)
  return { ...methods, try: tries, send } as unknown as Client
}

interface Page {
  readonly items: readonly unknown[]
  readonly next: string | null
}

const methodOf = (sender: Sender, route: Route) => {
  const { next } = route
  const call = async (params?: AnyParams, options?: CallOptions): Promise<unknown> => {
    const answer = await sender.ask(route, params, options)
    if (!answer.ok) throw answer
    return answer.data
  }
  if (route.has('stream'))
    return async function* (params?: AnyParams, options?: CallOptions) {
      yield* (await call(params, options)) as AsyncIterable<unknown>
    }
  if (next === undefined) return call
  return (params?: AnyParams, options?: CallOptions) => {
    const first = call(params, options) as Promise<Page>
    const records = async function* () {
      let page = await first
      yield* page.items
      while (page.next !== null) {
        page = (await call({ ...params, [next]: page.next }, options)) as Page
        yield* page.items
      }
    }
    return Object.assign(first, { [Symbol.asyncIterator]: records })
  }
}

class Sender {
  readonly #options: ClientOptions
  readonly #base: string

  constructor(options: ClientOptions) {
    this.#options = options
    const { origin, pathname } = new URL(options.url)
    this.#base = origin + pathname.replace(/\/+$/, '')
  }

  /** Once, whatever comes. */
  async send(route: Route, params?: AnyParams, options?: CallOptions): Promise<Response> {
    return await this.#fetch(await this.#prepare(route, params, options))
  }

  /** Sends it until there is an answer that counts. A lost connection is what `fetch` throws. */
  async ask(route: Route, params?: AnyParams, options: CallOptions = {}): Promise<Success | RollcallError> {
    const retries = new Retries(options.retry ?? this.#options.retry, route.isIdempotent)
    // The same for each try: by it the service knows what an earlier one has done.
    const own: HeaderFields = route.has('token') && route.has('idempotent') ? { 'X-Request-Id': newRequestId() } : {}
    for (;;) {
      const request = await this.#prepare(route, params, options, own)
      retries.tries++
      try {
        const response = await this.#fetch(request)
        const { status, headers, ok } = response
        const content = ok && route.has('bytes') ? new Uint8Array(await response.arrayBuffer()) : undefined
        const text = content ?? (ok && route.has('stream') ? undefined : await response.text())
        const isFinal = !TRANSIENT.has(status) || route.has(`answers:${status}`)
        if (isFinal || !(await retries.wait(retryAfterOf(headers), options.signal)))
          return new Answer(route, response, retries.tries, request.init.headers.get('If-Match')).read(text)
      } catch (error) {
        if (options.signal?.aborted || !(await retries.wait(undefined, options.signal))) throw error
      }
    }
  }

  async #prepare(
    route: Route,
    params?: AnyParams | null,
    { headers, signal }: CallOptions = {},
    own: HeaderFields = {},
  ): Promise<Prepared> {
    const { token, headers: always = {} } = this.#options
    const { url, init } = route.request(this.#base, params ?? {})
    for (const fields of [own, always, headers ?? {}])
      for (const [name, value] of Object.entries(fields)) init.headers.set(name, value)
    // Who may sign up without one needs it to name a visitor, and for nothing else.
    const needsToken = route.has('token') || (route.has('token:optional') && init.headers.has('Visitor-Address'))
    if (needsToken && token !== undefined)
      init.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`)
    return { url, init: signal === undefined ? init : { ...init, signal } }
  }

  #fetch({ url, init }: Prepared): Promise<Response> {
    const { fetch = globalThis.fetch } = this.#options
    // The server that an answer leads on to must not get the token.
    return fetch(url, { ...init, redirect: 'manual' })
  }
}

type HeaderFields = Readonly<Record<string, string>>

// Not `randomUUID`, which a page without TLS lacks.
const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

interface Prepared {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Headers }
}
