import { discover } from './discover.ts'
import { boundedFetchJson, type Fetch } from './fetch-json.ts'
import { STANDARD_LIMITS } from './provider-limits.ts'
import { PublishedKeys } from './published-keys.ts'

/**
 * Asks the provider for its keys as a verifier would; resolves with their address.
 * @throws {ProviderTrouble} it does not answer as it should; `message` says how
 */
export const inspectProvider = async (
  issuer: string,
  { fetch = globalThis.fetch }: { readonly fetch?: Fetch } = {},
): Promise<string> => {
  const fetchJson = boundedFetchJson(fetch, STANDARD_LIMITS)
  const address = await discover(issuer, fetchJson)
  // Whether it is a key set shows when it is read as one.
  new PublishedKeys(await fetchJson(address))
  return address.href
}
