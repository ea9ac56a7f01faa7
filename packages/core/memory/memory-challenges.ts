import type { ChallengeAuthority, Clock, Digests, Randomness } from '../src/index.ts'

const LIFE = 600_000
const SOLUTION = /^([0-9a-f]{16})\.(\d{1,16})\.([0-9a-f]{64})\.solved$/

/** Challenges that are solved by saying so: see `solveMemoryChallenge`. */
export const memoryChallenges = (ports: {
  clock: Clock
  digests: Digests
  randomness: Randomness
}): ChallengeAuthority => {
  const { clock, digests, randomness } = ports
  const signed = (claims: string): string => `${claims}.${digests.hmac('challenge', claims)}`
  return {
    create: async () => ({ puzzle: signed(`${randomness.hex(8)}.${clock.now() + LIFE}`) }),
    verify: async (solution) => {
      const [, id = '', expiry = '', mac = ''] = SOLUTION.exec(solution) ?? []
      const expiresAt = Number(expiry)
      const genuine = id !== '' && digests.equal(digests.hmac('challenge', `${id}.${expiry}`), mac)
      return genuine && clock.now() < expiresAt ? { id, expiresAt } : undefined
    },
  }
}

export const solveMemoryChallenge = (challenge: object): string =>
  `${'puzzle' in challenge ? challenge.puzzle : ''}.solved`
