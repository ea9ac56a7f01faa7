import type { Configuration } from 'openid-client'

export interface ProviderLoginOptions {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined
  readonly scope: string
  /** The claim that names the user, in both tokens. */
  readonly subjectClaim: string
}

/** What has to come back with the answer of the provider; kept in the browser that began. */
export interface LoginAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Whether who is logged in at the provider was to say so once more. */
  readonly again: boolean
}

/** Seconds that a person may take at the provider. */
export const LONGEST_LOGIN = 600

interface ProviderTokens {
  readonly accessToken: string
  /** Who the ID token says logged in. */
  readonly subject: string
  /** When they did, in milliseconds since 1970: perhaps long ago, if the provider asked nobody now. */
  readonly loggedInAt: number | undefined
}

/** The identity provider did not log anybody in; `message` is for the operator's log. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

/** It did, and does not say that they showed just now who they are. */
export class LoginTimeNotSaid extends ProviderRefused {}

/** Login by an OpenID provider: authorization code, PKCE, state and nonce. No token leaves this process. */
export class ProviderLogin {
  readonly #options: ProviderLoginOptions
  #configuration: Promise<Configuration> | undefined

  constructor(options: ProviderLoginOptions) {
    this.#options = options
  }

  /** Where a form that leads to the provider may end: it may send the browser on to another one. */
  get formTargets(): readonly string[] {
    return ['https:', new URL(this.#options.issuer).origin]
  }

  /** Where the browser has to go; `again` if who is logged in at the provider is to say so once more. */
  async begin(redirectUri: string, again = false): Promise<{ readonly url: URL; readonly attempt: LoginAttempt }> {
    const client = await import('openid-client')
    const configuration = await this.#configured()
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      again,
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#options.scope,
      response_mode: 'query',
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      // With `max_age` the provider has to say when they did (OpenID Connect Core 1.0, section 3.1.2.1).
      ...(again && { prompt: 'login', max_age: '0' }),
      state: attempt.state,
      nonce: attempt.nonce,
    })
    return { url, attempt }
  }

  /**
   * @param answer the URL that the provider sent the browser to
   * @throws {ProviderRefused} the provider says no, or the answer is not to this attempt
   * @throws {LoginTimeNotSaid} it was to ask once more, and its ID token does not show that it did
   */
  async finish(answer: URL, { state, nonce, verifier, again }: LoginAttempt): Promise<ProviderTokens> {
    const client = await import('openid-client')
    try {
      const tokens = await client.authorizationCodeGrant(await this.#configured(), answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        // Who has given a password may have more to do there before the browser is sent back.
        ...(again && { maxAge: LONGEST_LOGIN }),
      })
      const claims = tokens.claims()
      const subject = claims?.[this.#options.subjectClaim]
      if (typeof subject !== 'string') throw new Error(`the ID token has no claim '${this.#options.subjectClaim}'`)
      const loggedInAt = claims?.auth_time && Math.floor(claims.auth_time * 1_000)
      return { accessToken: tokens.access_token, subject, loggedInAt }
    } catch (cause) {
      if (isAboutLoginTime(cause)) throw new LoginTimeNotSaid(NOT_SAID, { cause })
      throw new ProviderRefused(`The identity provider did not log in: ${(cause as Error).message}`, { cause })
    }
  }

  /** Asked for again after a failure. */
  #configured(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((cause: unknown) => {
      this.#configuration = undefined
      throw new ProviderRefused(`The identity provider cannot be reached: ${(cause as Error).message}`, { cause })
    })
    return this.#configuration
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#options
    // The settings allow plain HTTP on loopback only.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const auth = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret)
    const configuration = await client.discovery(new URL(issuer), clientId, undefined, auth, { execute })
    const { token_endpoint_auth_methods_supported: methods } = configuration.serverMetadata()
    if (clientSecret === undefined || methods === undefined || methods.includes('client_secret_basic'))
      return configuration
    const post = client.ClientSecretPost(clientSecret)
    return await client.discovery(new URL(issuer), clientId, undefined, post, { execute })
  }
}

const NOT_SAID =
  'The ID token of the identity provider does not say that somebody logged in there just now: auth_time is missing, or old. Have the provider send it.'

/** The library has one code for all claims: what it says tells which. */
const isAboutLoginTime = (error: unknown): boolean => {
  const { cause } = error as Error
  return cause instanceof Error && /"auth_time"|last End-User authentication/.test(cause.message)
}
