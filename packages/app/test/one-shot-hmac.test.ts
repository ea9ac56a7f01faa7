import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { oneShotHmac } from '../src/platform/node-digests.ts'

const nodes = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

describe('the one-shot HMAC', () => {
  it('gives the example of RFC 4231 section 4.3', () => {
    const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    expect(oneShotHmac(Buffer.from('Jefe'))('what do ya want for nothing?')).toBe(mac)
  })

  it('gives what Node.js gives, for keys of every length around a block', () => {
    for (const length of [1, 31, 32, 63, 64, 65, 200]) {
      const key = randomBytes(length)
      expect(oneShotHmac(key)('brian@example.com')).toBe(nodes(key, 'brian@example.com'))
    }
  })

  it('gives what Node.js gives, for texts of every length and in any script, one after another', () => {
    const key = randomBytes(32)
    const hmac = oneShotHmac(key)
    const lengths = [...Array(200).keys(), 1_364, 1_365, 1_366, 1_367, 4_095, 4_096, 4_097, 100_000]
    for (const length of [...lengths, ...lengths.toReversed()])
      for (const character of ['a', 'ü', '字', '\ud800']) {
        const text = character.repeat(length)
        expect(hmac(text)).toBe(nodes(key, text))
      }
    expect(hmac('😀'.repeat(1_024))).toBe(nodes(key, '😀'.repeat(1_024)))
  })
})
