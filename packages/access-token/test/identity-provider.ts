import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { type AsymmetricSigningAlgorithm, Provider } from 'oidc-provider'

const RESOURCE = 'https://rollcall.example/api'
const THREE_DAYS = 3 * 24 * 3_600

// Tokens that are JWTs are kept by their holders.
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

export interface TokenWish {
  readonly audience?: string
  readonly alg?: AsymmetricSigningAlgorithm
  /** Claims beside those of RFC 9068. */
  readonly claims?: Record<string, unknown>
}

/** More than any test has at once. */
const DIFFERENT_KEYS = 4
const rsaKeys: JWK[] = []
let rsaKeysGiven = 0

const makeKey = async (alg: string): Promise<JWK> =>
  await exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)

/** RSA keys take long to make: each comes again after some others. */
const rsaKey = async (): Promise<JWK> => {
  const place = rsaKeysGiven++ % DIFFERENT_KEYS
  rsaKeys[place] ??= await makeKey('RS256')
  return rsaKeys[place]
}

export const newProviderKey = async (kid: string, alg = 'RS256'): Promise<JWK> => {
  const key = /^[RP]S/.test(alg) ? await rsaKey() : await makeKey(alg)
  return { ...key, kid, alg, use: 'sig' }
}

/** A real OpenID provider on a port of its own, whose keys can change and which can be out of reach. */
export class IdentityProvider implements AsyncDisposable {
  readonly issuer: string
  /** The path of every request for the discovery document or the keys, in order. */
  readonly asked: string[] = []
  readonly #server: http.Server
  #isUp = true
  #handle: http.RequestListener = (_request, response) => response.end()
  #wish: TokenWish = {}

  private constructor(server: http.Server, issuer: string) {
    this.#server = server
    this.issuer = issuer
    server.on('connection', (socket) => {
      if (!this.#isUp) socket.destroy()
    })
    server.on('request', (request, response) => {
      if (/^\/(?:\.well-known|jwks)/.test(request.url ?? '')) this.asked.push(request.url ?? '')
      this.#handle(request, response)
    })
  }

  static async start(keys?: readonly JWK[]): Promise<IdentityProvider> {
    const server = http.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const provider = new IdentityProvider(server, `http://127.0.0.1:${port}`)
    provider.useKeys(keys ?? [await newProviderKey('first')])
    return provider
  }

  /** From now on it signs with, and publishes, these. */
  useKeys(keys: readonly JWK[]): void {
    const provider = new Provider(this.issuer, {
      jwks: { keys: [...keys] },
      adapter: () => KEEPS_NOTHING,
      ttl: { ClientCredentials: THREE_DAYS },
      clients: [
        {
          client_id: 'robot',
          client_secret: 'not-much-of-a-secret-but-long-enough',
          grant_types: ['client_credentials'],
          id_token_signed_response_alg: (keys[0]?.alg ?? 'RS256') as AsymmetricSigningAlgorithm,
          redirect_uris: [],
          response_types: [],
        },
      ],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: () => ({
            scope: 'use',
            audience: this.#wish.audience ?? 'rollcall',
            accessTokenTTL: THREE_DAYS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: this.#wish.alg ?? 'RS256' } },
          }),
        },
      },
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] },
      extraTokenClaims: () => this.#wish.claims,
    })
    this.#handle = provider.callback()
  }

  /** Answers every request like this instead, from now on. */
  answer(handle: http.RequestListener): void {
    this.#handle = handle
  }

  /** An access token by client credentials for this service (RFC 8707, RFC 9068); its subject is `robot`. */
  async token(wish: TokenWish = {}): Promise<string> {
    this.#wish = wish
    const response = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('robot:not-much-of-a-secret-but-long-enough')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE, scope: 'use' }),
    })
    const answer = (await response.json()) as { readonly access_token?: string }
    if (answer.access_token === undefined) throw new Error(JSON.stringify(answer))
    return answer.access_token
  }

  goDown(): void {
    this.#isUp = false
    this.#server.closeAllConnections()
  }

  comeBack(): void {
    this.#isUp = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}
