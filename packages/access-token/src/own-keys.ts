import type { Instant } from '@rollcall/core'
import { type Jwk, jwksIn, KeysNotUsable, keyExpiry, systemClock } from '@rollcall/platform-node'
import type { CryptoKey } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { CompactSign } from 'jose/jws/compact/sign'
import { compactVerify } from 'jose/jws/compact/verify'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import { importJWK } from 'jose/key/import'
import type { KeySource, VerificationKey } from './check-token.ts'

/** A public Ed25519 key as others may see it (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  readonly kid: string
  readonly alg: 'EdDSA'
  readonly use: 'sig'
}

/** One of this service's own keys; one without a private half only verifies what it signed in its time. */
export type OwnKey = Awaited<ReturnType<typeof importOwnKey>>

/** What we write into headers: every library knows it, which cannot be said of its successor `Ed25519` (RFC 9864). */
export const SIGNING_ALGORITHM = 'EdDSA'
export const OWN_ALGORITHMS = ['EdDSA', 'Ed25519'] as const

const BYTES_32 = /^[A-Za-z0-9_-]{43}$/
const LONGEST_KEY_ID = 255

/**
 * Reads one key of a set; `where` is what a person knows the set by.
 * @throws {KeysNotUsable} it is no Ed25519 signing key, or its halves do not belong together
 */
const importOwnKey = async (jwk: Jwk, where: string) => {
  const { kty, crv, x, d, use = 'sig', alg = SIGNING_ALGORITHM } = jwk
  const known = kty === 'OKP' && crv === 'Ed25519' && use === 'sig' && OWN_ALGORITHMS.some((own) => own === alg)
  if (!known) throw new KeysNotUsable(`${where} holds a key that is not for Ed25519 signatures. Take it out.`)
  if (!isHalf(x) || !(d === undefined || isHalf(d))) throw new KeysNotUsable(incomplete(where))
  const keyId = await keyIdOf(jwk.kid, x, where)
  const publicJwk: PublicJwk = Object.freeze({ kty, crv, x, kid: keyId, alg: SIGNING_ALGORITHM, use: 'sig' })
  // When the last token that it signed has expired; undefined of one that may still sign.
  const verifiesUntil = keyExpiry(jwk, where)
  try {
    const publicKey = await imported({ kty, crv, x })
    const privateKey = d === undefined ? undefined : await imported({ kty, crv, x, d })
    if (privateKey) await provePair(privateKey, publicKey)
    return { keyId, publicKey, privateKey, publicJwk, verifiesUntil }
  } catch {
    // Without its cause: what a library says of a broken key may quote the key.
    throw new KeysNotUsable(incomplete(where))
  }
}

/** A new key as it is stored, private half included. */
export const generateOwnJwk = async (): Promise<Jwk & { readonly kid: string }> => {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: 'sig' }
}

const isHalf = (value: unknown): value is string => typeof value === 'string' && BYTES_32.test(value)

const incomplete = (where: string): string =>
  `${where} holds a key that is incomplete or damaged. Correct it, or put it back from a copy.`

const keyIdOf = async (kid: unknown, x: string, where: string): Promise<string> => {
  if (kid === undefined) return await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
  if (typeof kid === 'string' && kid !== '' && kid.length <= LONGEST_KEY_ID) return kid
  throw new KeysNotUsable(`${where} holds a key whose 'kid' is not 1 to ${LONGEST_KEY_ID} characters. Correct it.`)
}

const imported = async (jwk: { kty: 'OKP'; crv: 'Ed25519'; x: string; d?: string }): Promise<CryptoKey> => {
  const key = await importJWK(jwk, SIGNING_ALGORITHM)
  if (key instanceof Uint8Array) throw new TypeError('a secret instead of a key pair')
  return key
}

const provePair = async (privateKey: CryptoKey, publicKey: CryptoKey): Promise<void> => {
  const proof = new CompactSign(new TextEncoder().encode('proof')).setProtectedHeader({ alg: SIGNING_ALGORITHM })
  await compactVerify(await proof.sign(privateKey), publicKey)
}

interface SigningKey {
  readonly keyId: string
  readonly key: CryptoKey
}

/** At least one key that can sign; the first such one does. */
export type OwnKeySet = readonly [SigningKey, readonly OwnKey[]]

/** The keys that this service signs its own tokens with, and verifies them. */
export class OwnKeys implements KeySource {
  #generation = 0
  #set: OwnKeySet

  constructor(set: OwnKeySet) {
    this.#set = set
  }

  get generation(): number {
    return this.#generation
  }

  get signing(): SigningKey {
    return this.#set[0]
  }

  async find(keyId: string | undefined, algorithm: string): Promise<readonly VerificationKey[]> {
    const found = this.#set[1].find((key) => key.keyId === keyId)
    if (found === undefined || !OWN_ALGORITHMS.some((own) => own === algorithm)) return []
    return [{ key: found.publicKey, until: found.verifiesUntil }]
  }

  /** From now on these are the keys; what was verified with the others must be verified again. */
  use(set: OwnKeySet): void {
    this.#set = set
    this.#generation++
  }

  /** What others need to verify our tokens: public halves, never more (RFC 7517). */
  jwks(now: Instant = systemClock.now()): { readonly keys: readonly PublicJwk[] } {
    const current = this.#set[1].filter(({ verifiesUntil = now + 1 }) => verifiesUntil > now)
    return { keys: current.map(({ publicJwk }) => publicJwk) }
  }
}

/**
 * Reads signing keys that were configured as text: a JWK set (RFC 7517), the first private key of which signs;
 * one with an `exp` only verifies, and only until then.
 * @throws {KeysNotUsable} naming `where`, such as a setting
 */
export const parseOwnKeys = async (json: string, where = 'The JWK set of signing keys'): Promise<OwnKeys> =>
  new OwnKeys(await parseOwnKeySet(json, where))

/** @throws {KeysNotUsable} naming `where` */
export const parseOwnKeySet = async (json: string, where: string): Promise<OwnKeySet> => {
  const keys = await Promise.all(jwksIn(json, where).map((jwk) => importOwnKey(jwk, where)))
  if (new Set(keys.map(({ keyId }) => keyId)).size < keys.length) {
    throw new KeysNotUsable(`${where} holds two keys with the same 'kid'. Take one out, or rename it.`)
  }
  return [signingKeyOf(keys, where), keys]
}

const signingKeyOf = (keys: readonly OwnKey[], where: string) => {
  for (const { keyId, privateKey, verifiesUntil } of keys)
    if (privateKey && verifiesUntil === undefined) return { keyId, key: privateKey }
  throw new KeysNotUsable(`${where} holds no private key to sign with. Add one, or put it back from a copy.`)
}
