import { isLoopback } from '@rollcall/platform-node'
import { type FetchJson, ProviderTrouble } from './fetch-json.ts'

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
