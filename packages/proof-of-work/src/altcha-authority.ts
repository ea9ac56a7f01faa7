import { randomInt } from 'node:crypto'
import type { ChallengeAuthority, Clock, Digests } from '@rollcall/core'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Payload } from 'altcha-lib/types'

export interface AltchaOptions {
  readonly clock: Clock
  readonly digests: Digests
  /** How much work a challenge is; what a phone does in about a second if none is given. */
  readonly work?: Work | undefined
}

/** Between `fewest` and `most` keys have to be derived, each with `iterations` rounds of PBKDF2. */
export interface Work {
  readonly iterations: number
  readonly fewest: number
  readonly most: number
}

/**
 * A million iterations on average, which take a mid-range phone about a second in one worker, a laptop a third of it.
 * Enough of them a key that deriving counts and not the calls, which only a browser pays for; few enough that making a
 * challenge, which is one derivation, costs this service less than a millisecond.
 */
const A_SECOND_ON_A_PHONE: Work = { iterations: 2_000, fewest: 250, most: 750 }

const MINUTE = 60_000
const LIFE = 10 * MINUTE

/**
 * Challenges as the ALTCHA widget solves them, version 2. Nothing is remembered: they are signed with a key from the
 * instance's secret, so every instance that shares it checks what another one made, before or after a restart.
 * @see https://altcha.org/docs/v2/proof-of-work/
 */
export const createAltchaAuthority = ({ clock, digests, work = A_SECOND_ON_A_PHONE }: AltchaOptions) => {
  const secrets = {
    hmacSignatureSecret: digests.hmac('challenge', 'altcha challenge'),
    hmacKeySignatureSecret: digests.hmac('challenge', 'altcha key'),
  }
  return {
    create: () =>
      createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: work.iterations,
        counter: randomInt(work.fewest, work.most + 1),
        deriveKey,
        expiresAt: new Date(clock.now() + LIFE),
        ...secrets,
      }),
    verify: async (solution) => {
      const payload = readPayload(solution)
      if (payload === undefined) return undefined
      const expiresAt = payload.challenge.parameters.expiresAt * 1_000
      if (clock.now() >= expiresAt) return undefined
      const { verified } = await verifySolution({ ...payload, deriveKey, ...secrets })
      return verified ? { id: payload.challenge.parameters.nonce, expiresAt } : undefined
    },
  } satisfies ChallengeAuthority
}

/** A solution with everything in it that checking it relies on. Whether any of it is genuine is not known yet. */
type ReadPayload = Payload & {
  readonly challenge: { readonly signature: string; readonly parameters: { readonly expiresAt: number } }
}

// A genuine one is some 700 characters. What is longer is not read.
const LONGEST = 2_048
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const TEXTS = ['algorithm', 'nonce', 'salt', 'keyPrefix', 'keySignature']
const NUMBERS = ['cost', 'keyLength', 'expiresAt']

/** What the client sent, if it has the form of a solution: base64 of JSON. */
const readPayload = (solution: string): ReadPayload | undefined => {
  if (solution.length > LONGEST || !BASE64.test(solution)) return undefined
  try {
    const payload: unknown = JSON.parse(Buffer.from(solution, 'base64').toString('utf8'))
    return isPayload(payload) ? payload : undefined
  } catch {
    // Whatever cannot be read is not a solution.
    return undefined
  }
}

const isPayload = (value: unknown): value is ReadPayload => {
  if (!isRecord(value) || !isRecord(value.challenge) || !isRecord(value.solution)) return false
  const { parameters, signature } = value.challenge
  return (
    isRecord(parameters) &&
    typeof signature === 'string' &&
    TEXTS.every((name) => typeof parameters[name] === 'string') &&
    NUMBERS.every((name) => Number.isSafeInteger(parameters[name])) &&
    typeof value.solution.derivedKey === 'string' &&
    Number.isSafeInteger(value.solution.counter)
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
