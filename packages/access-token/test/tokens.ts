import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Clock, Unauthenticated } from '@rollcall/core'
import { type CompactJWSHeaderParameters, CompactSign, exportJWK, generateKeyPair } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { REFUSAL, type Refusal } from '../src/check-token.ts'
import { createOwnTokenIssuer, createOwnTokenVerifier, parseOwnKeys } from '../src/index.ts'
import type { OwnKeys } from '../src/own-keys.ts'

export const OWN = { issuer: 'rollcall', audience: 'rollcall' }
export const NOON = Date.UTC(2026, 10, 21, 12)

export class SettableClock implements Clock {
  time = NOON
  now(): number {
    return this.time
  }
}

export interface SetUp {
  readonly keys: OwnKeys
  readonly clock: SettableClock
  readonly issuer: ReturnType<typeof createOwnTokenIssuer>
  readonly verifier: ReturnType<typeof createOwnTokenVerifier>
  /** The private JWK that the keys were made of. */
  readonly jwk: Record<string, string | undefined>
  /** Signs any header and claims with the right key: only what they say can be wrong. */
  sign(claims: unknown, header?: Record<string, unknown>): Promise<string>
}

export const newJwk = async (kid: string): Promise<Record<string, string | undefined>> => {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const { kty, crv, x, d } = await exportJWK(privateKey)
  return { kty, crv, x, d, kid }
}

export const setUp = async (): Promise<SetUp> => {
  const clock = new SettableClock()
  const jwk = await newJwk('one')
  const keys = await parseOwnKeys(JSON.stringify({ keys: [jwk] }))
  return {
    keys,
    clock,
    jwk,
    issuer: createOwnTokenIssuer(keys, { ...OWN, clock }),
    verifier: createOwnTokenVerifier(keys, { ...OWN, clock }),
    sign: (claims, header) => {
      const text = typeof claims === 'string' ? claims : JSON.stringify(claims)
      const whole = { alg: 'EdDSA', typ: 'at+jwt', kid: 'one', ...header } as CompactJWSHeaderParameters
      return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(whole).sign(keys.signing.key)
    },
  }
}

/** Claims of a good token, but for what is said otherwise; a claim that is undefined is left out. */
export const claims = (other: Record<string, unknown> = {}): Record<string, unknown> => ({
  iss: 'rollcall',
  aud: 'rollcall',
  sub: 'alice',
  jti: 'token-1',
  iat: NOON / 1000,
  exp: NOON / 1000 + 3600,
  roles: ['admin'],
  ...other,
})

export const expectRefused = async (verifying: Promise<unknown>, refusal?: Refusal): Promise<void> => {
  const error = await verifying.then(
    (verified) => expect.fail(`accepted: ${JSON.stringify(verified)}`),
    (thrown: Unauthenticated) => thrown,
  )
  expect(error).toMatchObject({ name: 'Unauthenticated', tokenRefused: true, cause: undefined })
  if (refusal) expect(error.message).toBe(REFUSAL[refusal])
}

export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
