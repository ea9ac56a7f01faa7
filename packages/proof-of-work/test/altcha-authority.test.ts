import { memoryDigests } from '@rollcall/core/memory'
import type { Payload } from 'altcha-lib/types'
import { describe, expect, it } from 'vitest'
import { createAltchaAuthority } from '../src/index.ts'
import { encode, LITTLE_WORK, solve } from './solve.ts'

const clock = { now: () => Date.now() }
const open = (work?: typeof LITTLE_WORK) =>
  createAltchaAuthority({ clock, digests: memoryDigests('secret'), work: work ?? LITTLE_WORK })

const solvedPayload = async (authority = open()): Promise<Payload> =>
  JSON.parse(Buffer.from(await solve(await authority.create()), 'base64').toString('utf8'))

describe('ALTCHA challenges', () => {
  it('are of the size that a phone solves in about a second, by default', async () => {
    const { parameters } = await createAltchaAuthority({ clock, digests: memoryDigests('secret') }).create()
    expect(parameters).toMatchObject({ algorithm: 'PBKDF2/SHA-256', cost: 2_000, keyLength: 32 })
    expect(parameters.keyPrefix).toMatch(/^[0-9a-f]{32}$/)
  })

  it('expire after ten minutes', async () => {
    const { parameters } = await open().create()
    const life = (parameters.expiresAt ?? 0) * 1_000 - Date.now()
    expect(life).toBeGreaterThan(9 * 60_000)
    expect(life).toBeLessThanOrEqual(10 * 60_000)
  })

  it('give away neither how much is to be tried nor the rest of the key', async () => {
    const payload = await solvedPayload()
    const challenge = JSON.stringify(payload.challenge)
    expect(challenge).not.toContain(payload.solution.derivedKey)
    expect(payload.challenge.parameters).not.toHaveProperty('counter')
  })

  it('are named by their nonce', async () => {
    const payload = await solvedPayload()
    expect(await open().verify(encode(payload))).toMatchObject({ id: payload.challenge.parameters.nonce })
  })

  it('are not met where any parameter, the signature or the key is another', async () => {
    const authority = open()
    const payload = await solvedPayload(authority)
    const { challenge, solution } = payload
    const { parameters } = challenge
    const withParameters = (changes: object) => ({
      solution,
      challenge: { ...challenge, parameters: { ...parameters, ...changes } },
    })
    const bad: unknown[] = [
      ...Object.keys(parameters).map((name) => withParameters({ [name]: undefined })),
      withParameters({ cost: 1_000_000_000 }),
      withParameters({ cost: '1' }),
      withParameters({ algorithm: 'SHA-256' }),
      withParameters({ expiresAt: Number.MAX_SAFE_INTEGER }),
      withParameters({ keyPrefix: '' }),
      withParameters({ data: {} }),
      { solution, challenge: { ...challenge, signature: undefined } },
      { solution, challenge: { ...challenge, signature: '' } },
      { solution, challenge: { ...challenge, signature: challenge.signature?.toUpperCase() } },
      { solution, challenge: { ...challenge, signature: [challenge.signature] } },
      { challenge, solution: { ...solution, derivedKey: parameters.keyPrefix } },
      { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } },
      { challenge, solution: { ...solution, derivedKey: [solution.derivedKey] } },
      { challenge, solution: { ...solution, counter: -1 } },
      { challenge, solution: { ...solution, counter: '2' } },
      { challenge, solution: { ...solution, counter: 2 ** 32 } },
      { challenge },
      { solution },
      { ...challenge, ...solution },
    ]
    expect(await authority.verify(encode(payload))).toBeDefined()
    for (const one of bad) expect([one, await authority.verify(encode(one))]).toEqual([one, undefined])
  })

  it('are not met by a solution in another spelling of base64, or longer than any can be', async () => {
    const authority = open()
    const payload = await solvedPayload(authority)
    const solution = encode(payload)
    for (const other of [
      ` ${solution}`,
      `${solution}\n`,
      `${solution}====`,
      encodeURIComponent(`${solution}+`),
      `-${solution}`,
    ])
      expect(await authority.verify(other)).toBeUndefined()
    expect(await authority.verify(encode({ ...payload, padding: 'x'.repeat(2_000) }))).toBeUndefined()
  })
})
