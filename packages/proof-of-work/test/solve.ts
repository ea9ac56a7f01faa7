import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

export const LITTLE_WORK = { iterations: 1, fewest: 2, most: 5 } as const

export const encode = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64')

/** What a browser does, with the library's own code for browsers. */
export const solve = async (challenge: object): Promise<string> => {
  const solution = await solveChallenge({ challenge: challenge as Challenge, deriveKey })
  return encode({ challenge, solution })
}
