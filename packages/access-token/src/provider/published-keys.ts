import type { CryptoKey, JSONWebKeySet } from 'jose'
import { createLocalJWKSet } from 'jose/jwks/local'
import { ProviderTrouble } from './fetch-json.ts'

const WEAKEST_RSA = 2048

/** The key set that a provider published at one time (RFC 7517). */
export class PublishedKeys {
  readonly #choose: ReturnType<typeof createLocalJWKSet>
  readonly #text: string

  /** @throws {ProviderTrouble} it is no key set */
  constructor(document: unknown) {
    try {
      // Whatever it is, it is looked at before it is believed.
      this.#choose = createLocalJWKSet(document as JSONWebKeySet)
    } catch (error) {
      throw new ProviderTrouble('What the identity provider publishes as its keys is no JWK set.', { cause: error })
    }
    this.#text = JSON.stringify(document)
  }

  equals(other: PublishedKeys): boolean {
    return this.#text === other.#text
  }

  /**
   * The one public key that has this id and may verify signatures of this algorithm, by its `kty`, `crv`, `use`,
   * `key_ops` and `alg`; for a token without a key id the only one that may. Several are none: to try them all would
   * be to let the token choose.
   */
  async find(keyId: string | undefined, algorithm: string): Promise<CryptoKey | undefined> {
    try {
      const key = await this.#choose({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
      return isStrong(key) ? key : undefined
    } catch {
      // There is none, or several, or it is damaged: nothing of it can be used, and a token says nothing new of that.
      return undefined
    }
  }
}

const isStrong = ({ algorithm }: CryptoKey): boolean =>
  !('modulusLength' in algorithm) || Number(algorithm.modulusLength) >= WEAKEST_RSA
