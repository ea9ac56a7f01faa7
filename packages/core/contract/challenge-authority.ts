import { beforeEach, describe, expect, it } from 'vitest'
import type { ChallengeAuthority } from '../src/index.ts'
import { upTo } from './samples.ts'

/** An authority that holds this secret, by the clock that `advance` moves on. */
export interface ChallengesUnderTest {
  open(secret: string): ChallengeAuthority
  /** Does a client's work. */
  solve(challenge: object): Promise<string>
  /** Moves on the clock of every authority. */
  advance(milliseconds: number): void
}

const MINUTE = 60_000

export const challengeAuthorityContract = (prepare: () => ChallengesUnderTest) =>
  describe('challenges', () => {
    let challenges: ChallengesUnderTest
    let authority: ChallengeAuthority
    beforeEach(() => {
      challenges = prepare()
      authority = challenges.open('secret')
    })
    const solved = async () => await challenges.solve(await authority.create())

    it('are JSON: a client gets them as they were made', async () => {
      const challenge = await authority.create()
      expect(JSON.parse(JSON.stringify(challenge))).toEqual(challenge)
    })

    it('are met by their solution, which is named by an id and good for some minutes yet', async () => {
      const solution = await solved()
      const found = await authority.verify(solution)
      expect(found?.id).toMatch(/^[\x21-\x7e]{8,128}$/)
      expect(await authority.verify(solution)).toEqual(found)
    })

    it('have an id each', async () => {
      const found = await Promise.all(upTo(20).map(async () => await authority.verify(await solved())))
      expect(new Set(found.map((one) => one?.id)).size).toBe(20)
    })

    it('are checked alike by every authority that has the same secret, and by no other', async () => {
      const solution = await solved()
      expect(await challenges.open('secret').verify(solution)).toEqual(await authority.verify(solution))
      expect(await challenges.open('another secret').verify(solution)).toBeUndefined()
    })

    it('are met for at least five minutes, and no longer once they have expired', async () => {
      const solution = await solved()
      challenges.advance(5 * MINUTE)
      const found = await authority.verify(solution)
      expect(found).toBeDefined()
      challenges.advance(60 * MINUTE)
      expect(await authority.verify(solution)).toBeUndefined()
    })

    it('are not met by a solution that is cut or changed anywhere in what is signed', async () => {
      const solution = await solved()
      const found = await authority.verify(solution)
      for (let at = 0; at < solution.length; at += 7) {
        const other = solution[at] === 'A' ? 'B' : 'A'
        const changed = await authority.verify(`${solution.slice(0, at)}${other}${solution.slice(at + 1)}`)
        // What says how the client got there may be another; what was solved may not.
        if (changed !== undefined) expect(changed).toEqual(found)
        expect(await authority.verify(solution.slice(0, at))).toBeUndefined()
      }
    })

    it('are not met by the challenge itself, nor by anything unsolved', async () => {
      const challenge = JSON.stringify(await authority.create())
      const unsolved = [challenge, `{"challenge":${challenge},"solution":{}}`, `{"challenge":${challenge}}`]
      const garbage = ['', ' ', 'null', '[]', '{}', '0', '"x"', '\u0000', '😀', 'A'.repeat(100_000), '[['.repeat(500)]
      for (const text of [...unsolved, ...garbage]) {
        expect(await authority.verify(text)).toBeUndefined()
        expect(await authority.verify(encoded(text))).toBeUndefined()
      }
    })

    it('refuse many bad solutions at once, each by itself', async () => {
      const solution = await solved()
      const answers = await Promise.all(upTo(50).map((n) => authority.verify(n % 2 ? solution : `x${solution}`)))
      expect(answers.filter((one) => one !== undefined)).toHaveLength(25)
    })
  })

/** Base64 of its UTF-8 bytes, as most clients send what they solved. */
const encoded = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
