import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const SECRET = 'not-much-of-a-secret-but-long-enough'

/** As Keycloak has them. */
const CLAIMS_OF_ROOT = { realm_access: { roles: ['offline', 'admin'] } }

const nothing = async (): Promise<undefined> => undefined
const KEEPS_NOTHING = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

const newKey = async (): Promise<object> => {
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', privateKey)
  return { kty, crv, x, y, d, kid: 'one', alg: 'ES256', use: 'sig' }
}

/** A real OpenID provider that gives access tokens to programs: `root` is an admin, `robot` has no role. */
export class IdentityProvider implements AsyncDisposable {
  readonly issuer: string
  /** What access tokens of `root` have beside what every access token has. */
  claimsOfRoot: Readonly<Record<string, unknown>> = CLAIMS_OF_ROOT
  readonly #server: http.Server
  #audience = ''
  #handle: http.RequestListener = (_request, response) => response.end()

  private constructor(server: http.Server, issuer: string) {
    this.#server = server
    this.issuer = issuer
    server.on('request', (request, response) => this.#handle(request, response))
  }

  static async start(): Promise<IdentityProvider> {
    const server = http.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const self = new IdentityProvider(server, `http://127.0.0.1:${port}`)
    await self.#useNewKey()
    return self
  }

  /** Answers every request for its keys like this, from now on. */
  answerForKeys(answer: http.RequestListener): void {
    const others = this.#handle
    this.#handle = (request, response) => (request.url === '/jwks' ? answer : others)(request, response)
  }

  async #useNewKey(): Promise<void> {
    const provider = new Provider(this.issuer, {
      adapter: () => KEEPS_NOTHING,
      jwks: { keys: [await newKey()] },
      clients: ['root', 'robot'].map((client_id) => ({
        client_id,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        id_token_signed_response_alg: 'ES256' as const,
        redirect_uris: [],
        response_types: [],
      })),
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      ttl: { ClientCredentials: 3_600 },
      extraTokenClaims: (_context, { clientId }) => (clientId === 'root' ? this.claimsOfRoot : { roles: ['admin'] }),
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope: 'use',
            audience: this.#audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    })
    this.#handle = provider.callback()
  }

  /** By client credentials (RFC 6749 section 4.4), for a resource (RFC 8707), as RFC 9068 has it. */
  async token(client: 'root' | 'robot', audience = 'https://rollcall.example/api'): Promise<string> {
    this.#audience = audience
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${client}:${SECRET}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: 'https://any.example', scope: 'use' }),
    })
    const answer = (await response.json()) as { readonly access_token?: string }
    if (answer.access_token === undefined) throw new Error(JSON.stringify(answer))
    return answer.access_token
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.stop()
  }
}
