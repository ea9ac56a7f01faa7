import type { Home } from './running-service.ts'

interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what a stranger's client would get
  readonly body: any
}

export interface ScimOptions {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** How a directory talks to a service. */
export class ScimClient {
  readonly #home: Home
  readonly #token: string

  constructor(home: Home, token: string) {
    this.#home = home
    this.#token = token
  }

  /** `body` is an object, or what is sent instead of one. */
  async ask(method: string, path: string, body?: unknown, { token, headers }: ScimOptions = {}): Promise<ScimAnswer> {
    const answer = await fetch(`${this.#home.url}/scim/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token ?? this.#token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  patch(id: string, ...operations: readonly object[]): Promise<ScimAnswer> {
    return this.ask('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: operations })
  }

  find(filter: string, more = ''): Promise<ScimAnswer> {
    return this.ask('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)
  }
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
