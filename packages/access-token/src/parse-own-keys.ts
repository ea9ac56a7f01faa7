import { KeysNotUsable } from './keys-not-usable.ts'
import { importOwnKey, type Jwk, type OwnKey } from './own-key.ts'
import { type OwnKeySet, OwnKeys } from './own-keys.ts'

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

const jwksIn = (json: string, where: string): readonly Jwk[] => {
  const set = parsed(json)
  const keys = isObject(set) ? set.keys : undefined
  if (Array.isArray(keys) && keys.every(isObject)) return keys
  throw new KeysNotUsable(`${where} is not a JWK set, {"keys":[...]}. Correct it, or put it back from a backup.`)
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    // Not even as a cause: the parser's message quotes the text, and the text is a private key.
    return undefined
  }
}

const isObject = (value: unknown): value is Jwk => typeof value === 'object' && value !== null && !Array.isArray(value)

const signingKeyOf = (keys: readonly OwnKey[], where: string) => {
  for (const { keyId, privateKey, verifiesUntil } of keys)
    if (privateKey && verifiesUntil === undefined) return { keyId, key: privateKey }
  throw new KeysNotUsable(`${where} holds no private key to sign with. Add one, or put it back from a backup.`)
}
