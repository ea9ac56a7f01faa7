import { ROUTES } from '../generated/routes.ts'
import { encodedFile, type FileBody, type Picture } from './file-body.ts'
import type { OperationId } from './types.ts'

export type AnyParams = Readonly<Record<string, unknown>>

/** @throws {TypeError} there is no such operation, which the compiler does not say to JavaScript */
const routeOf = (id: OperationId): string => {
  if (Object.hasOwn(ROUTES, id)) return ROUTES[id]
  throw new TypeError(`There is no operation '${String(id)}'.`)
}

/** The method of an operation. */
export const methodOf = (id: OperationId): string => routeOf(id).split(' ', 1).join()

/** How one operation is asked for. */
export class Route {
  readonly id: OperationId
  readonly #method: string
  readonly #path: string
  readonly #traits: readonly string[]

  constructor(id: OperationId) {
    const [method = '', path = '', ...traits] = routeOf(id).split(' ')
    this.id = id
    this.#method = method
    this.#path = path
    this.#traits = traits
  }

  /** Without the values, some of which are secret. */
  get name(): string {
    return `${this.#method} ${this.#path}`
  }

  /** RFC 9110 section 9.2.2, if the document does not say otherwise. */
  get isIdempotent(): boolean {
    return (!/^P(?:OST|ATCH)$/.test(this.#method) && !this.has('once')) || this.has('idempotent')
  }

  /** The parameter that says where the next page begins; undefined if it is no list. */
  get next(): string | undefined {
    return this.#after('list:')
  }

  /** A member of the last line of a stream, without which that is incomplete. */
  get lastLine(): string | undefined {
    return this.#after('ends:')
  }

  #after(start: string): string | undefined {
    return this.#traits.find((trait) => trait.startsWith(start))?.slice(start.length)
  }

  has(trait: string): boolean {
    return this.#traits.includes(trait)
  }

  /** The request, with the path of the service in front. @throws {TypeError} a parameter of the path is missing or no text */
  request(
    base: string,
    params: AnyParams,
  ): { readonly url: string; readonly init: RequestInit & { headers: Headers } } {
    const headers = new Headers({
      Accept: this.has('text') || this.has('bytes') || this.has('stream') ? '*/*' : 'application/json',
      // A proxy that compresses would change entity tags. Browsers leave this out.
      'Accept-Encoding': 'identity',
    })
    const query = new URLSearchParams()
    const inPath = new Set<string>()
    const path = this.#path.replace(/\{(\w+)\}/g, (_, name: string) => {
      inPath.add(name)
      return segment(this.id, name, params[name])
    })
    for (const [name, value] of Object.entries(params)) {
      if (value === undefined || name === 'body' || inPath.has(name)) continue
      if (/^if[A-Z]/.test(name) || this.has(`header:${name}`)) headers.set(name.replace(/[A-Z]/g, '-$&'), String(value))
      else query.set(name, String(value))
    }
    // Else `fetch` would ask for an answer that no cache has had: a server gives it whole, whatever the condition is.
    if (headers.has('If-None-Match') || headers.has('If-Modified-Since')) headers.set('Cache-Control', 'max-age=0')
    const search = query.size === 0 ? '' : `?${query}`
    return { url: base + path + search, init: { method: this.#method, headers, ...this.#body(params.body, headers) } }
  }

  #body(value: unknown, headers: Headers): object {
    if (value === undefined) return {}
    const file = this.has('file') ? encodedFile(value as FileBody<unknown> | Picture) : undefined
    const { type, body } = file ?? { type: 'application/json', body: JSON.stringify(value) }
    headers.set('Content-Type', type)
    return body instanceof ReadableStream ? { body, duplex: 'half' } : { body }
  }
}

/** `fetch` takes `..` for a way up, also percent-encoded. */
const segment = (id: string, name: string, value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text))
    throw new TypeError(`${id}: '${name}' must be a text, and not '', '.' or '..'.`)
  return encodeURIComponent(text)
}
