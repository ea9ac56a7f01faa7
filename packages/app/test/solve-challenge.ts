import { pbkdf2Sync } from 'node:crypto'

interface Challenge {
  readonly parameters: {
    readonly cost: number
    readonly keyLength: number
    readonly keyPrefix: string
    readonly nonce: string
    readonly salt: string
  }
}

/** What a client does with a challenge, by the description of the protocol and no library. */
export const solve = async (challenge: object): Promise<string> => {
  const { cost, keyLength, keyPrefix, nonce, salt } = (challenge as Challenge).parameters
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)])
  for (let counter = 0; ; counter++) {
    password.writeUInt32BE(counter, password.length - 4)
    const derivedKey = pbkdf2Sync(password, Buffer.from(salt, 'hex'), cost, keyLength, 'sha256').toString('hex')
    if (derivedKey.startsWith(keyPrefix))
      return Buffer.from(JSON.stringify({ challenge, solution: { counter, derivedKey } })).toString('base64')
  }
}
