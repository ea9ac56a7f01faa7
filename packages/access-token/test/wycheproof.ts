import { readFileSync } from 'node:fs'

export interface WycheproofGroup {
  readonly public?: { alg: string; use?: string; kty: string }
  readonly tests: readonly { jws: unknown; result: string; tcId: number }[]
}

/** Project Wycheproof's vectors for JSON Web Signatures; none if they are not at hand. */
export const wycheproof = (): readonly WycheproofGroup[] => {
  try {
    const file = new URL('../../../../shared/vectors/wycheproof.json_web_signature_test.json', import.meta.url)
    return JSON.parse(readFileSync(file, 'utf8')).testGroups
  } catch {
    return []
  }
}
