import type { KeySuccession, LinkKey, LinkKeys, NewSigningKey } from '../src/index.ts'
import { memoryHmac } from './memory-digests.ts'

const keyOf = (secret: string, id: string): LinkKey => ({
  id,
  timedUntil: undefined,
  hmac: (purpose, text) => memoryHmac(`${secret} ${id}`, purpose, text),
})

/** Keys that are made of a text and a number, for as long as it lives. */
export class MemoryLinkKeys implements LinkKeys {
  readonly #secret: string
  #made = 1
  #keys: readonly [LinkKey, ...LinkKey[]]

  constructor(secret = 'a link secret for tests') {
    this.#secret = secret
    this.#keys = [keyOf(secret, '1')]
  }

  get current(): LinkKey {
    return this.#keys[0]
  }

  find(id: string): LinkKey | undefined {
    return this.#keys.find((key) => key.id === id)
  }

  async makeKey(): Promise<NewSigningKey> {
    const key = keyOf(this.#secret, String(++this.#made))
    return { keyId: key.id, takeOver: async (succession) => this.#takeOver(key, succession) }
  }

  #takeOver(key: LinkKey, { revoke, verifyUntil }: KeySuccession): void {
    const before = revoke ? [] : this.#keys
    const retired = before.map((one) => ({ ...one, timedUntil: Math.min(one.timedUntil ?? verifyUntil, verifyUntil) }))
    this.#keys = [key, ...retired]
  }
}
