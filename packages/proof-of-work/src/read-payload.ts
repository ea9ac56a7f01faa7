import type { Payload } from 'altcha-lib/types'

/** A solution with everything in it that checking it relies on. Whether any of it is genuine is not known yet. */
export type ReadPayload = Payload & {
  readonly challenge: { readonly signature: string; readonly parameters: { readonly expiresAt: number } }
}

// A genuine one is some 700 characters. What is longer is not read.
const LONGEST = 2_048
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const TEXTS = ['algorithm', 'nonce', 'salt', 'keyPrefix', 'keySignature']
const NUMBERS = ['cost', 'keyLength', 'expiresAt']

/** What the client sent, if it has the form of a solution: base64 of JSON. */
export const readPayload = (solution: string): ReadPayload | undefined => {
  if (solution.length > LONGEST || !BASE64.test(solution)) return undefined
  const payload = parsed(Buffer.from(solution, 'base64').toString('utf8'))
  return isPayload(payload) ? payload : undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
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
