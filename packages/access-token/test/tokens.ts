import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Clock, Unauthenticated } from '@rollcall/core'
import { type CompactJWSHeaderParameters, CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { REFUSAL, type Refusal } from '../src/check-token.ts'
import { createOwnTokenIssuer, createOwnTokenVerifier, parseOwnKeys } from '../src/index.ts'

export const OWN = { issuer: 'rollcall', audience: 'rollcall' }
export const NOON = Date.UTC(2026, 10, 21, 12)

export class SettableClock implements Clock {
  time = NOON
  now(): number {
    return this.time
  }
}

/** Signs any header and claims with the right key, by default: only what they say can be wrong. */
export const signerWith =
  (key: JWK) =>
  async (payload: unknown, header: Record<string, unknown> = {}, by = key): Promise<string> => {
    const whole = { alg: by.alg, typ: 'at+jwt', kid: by.kid, ...header } as CompactJWSHeaderParameters
    const bytes = Buffer.from(
      payload instanceof Uint8Array || typeof payload === 'string' ? payload : JSON.stringify(payload),
    )
    return await new CompactSign(bytes).setProtectedHeader(whole).sign(await importJWK(by, whole.alg))
  }

export type SetUp = Awaited<ReturnType<typeof setUp>>

export const newJwk = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid }
}

export const setUp = async () => {
  const clock = new SettableClock()
  const jwk = await newJwk('one')
  const keys = await parseOwnKeys(JSON.stringify({ keys: [jwk] }))
  return {
    keys,
    clock,
    /** The private JWK that the keys were made of. */
    jwk,
    issuer: createOwnTokenIssuer(keys, { ...OWN, clock }),
    verifier: createOwnTokenVerifier(keys, { ...OWN, clock }),
    sign: signerWith({ ...jwk, alg: 'EdDSA' }),
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
