import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const AUDIENCE = 'https://rollcall.example/api'

export const CONSOLE_CLIENT = { id: 'console', secret: 'not-much-of-a-secret-but-long-enough' }

/** A real OpenID provider at which a person logs in without a page: as `person` says. */
export class LoginProvider implements AsyncDisposable {
  readonly issuer: string
  /** Who logs in next, with which roles and feeds. */
  person: { readonly id: string; readonly roles: readonly string[]; readonly feeds?: readonly string[] } = {
    id: 'ada',
    roles: ['admin'],
  }
  /** Whether access tokens have the nonce of the login, as at authentik and at Keycloak before version 24. */
  putsNonceIntoAccessTokens = false
  /** Queries of the requests for authorization, as they came. */
  readonly asked: URLSearchParams[] = []
  readonly #server: http.Server

  private constructor(server: http.Server, issuer: string) {
    this.#server = server
    this.issuer = issuer
  }

  static async start(redirectUri: string): Promise<LoginProvider> {
    const server = http.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const self = new LoginProvider(server, `http://127.0.0.1:${port}`)
    self.#serve(redirectUri)
    return self
  }

  #serve(redirectUri: string): void {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CONSOLE_CLIENT.id,
          client_secret: CONSOLE_CLIENT.secret,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
      cookies: { keys: ['a key of the test'] },
      findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      extraTokenClaims: () => ({
        roles: this.person.roles,
        feeds: this.person.feeds,
        ...(this.putsNonceIntoAccessTokens && { nonce: this.asked.at(-1)?.get('nonce') }),
      }),
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => AUDIENCE,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({ scope: 'openid', audience: AUDIENCE, accessTokenFormat: 'jwt' }),
        },
      },
    })
    const handle = provider.callback()
    this.#server.on('request', async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer)
      if (pathname === '/auth') this.asked.push(searchParams)
      if (!pathname.startsWith('/interaction/')) return await handle(request, response)
      await this.#agree(provider, request, response).catch(
        (error: unknown) => void response.writeHead(500).end(String(error)),
      )
    })
  }

  async #agree(provider: Provider, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { prompt, session } = await provider.interactionDetails(request, response)
    const merge = { mergeWithLastSubmission: true }
    if (prompt.name === 'login')
      return await provider.interactionFinished(request, response, { login: { accountId: this.person.id } }, merge)
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CONSOLE_CLIENT.id })
    grant.addOIDCScope('openid')
    grant.addResourceScope(AUDIENCE, 'openid')
    const consent = { consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, consent, merge)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

/** What a browser keeps: cookies by host and port. It follows redirects one at a time. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Names and values of the cookies that an origin has set. */
  of(origin: string): ReadonlyMap<string, string> {
    return this.#cookies.get(new URL(origin).host) ?? new Map()
  }

  async fetch(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const { host, origin } = new URL(url)
    const cookie = [...this.of(url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { Origin: origin, ...(cookie !== '' && { Cookie: cookie }) },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const kept = this.#cookies.get(host) ?? new Map<string, string>()
      if (value === '') kept.delete(name)
      else kept.set(name, value)
      this.#cookies.set(host, kept)
    }
    return answer
  }

  /** Goes where the redirects lead until there is a page, or the next place begins with the given text. */
  async follow(
    answer: Response,
    from: string,
    until = '\0',
  ): Promise<{ readonly url: string; readonly answer: Response }> {
    let [url, current] = [from, answer]
    for (
      let location = current.headers.get('location');
      location !== null;
      location = current.headers.get('location')
    ) {
      url = new URL(location, url).href
      if (url.startsWith(until)) break
      current = await this.fetch(url)
    }
    return { url, answer: current }
  }
}
