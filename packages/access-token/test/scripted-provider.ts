import { isLoopback } from '@rollcall/platform-node'
import type { JWK } from 'jose'
import { onTestFinished, vi } from 'vitest'
import { createProviderTokenVerifier, type ProviderOptions } from '../src/index.ts'
import { newProviderKey } from './identity-provider.ts'
import { claims, SettableClock, signerWith } from './tokens.ts'

const ISSUER = 'https://id.example.com/realms/staff'
export const KEYS_AT = 'https://id.example.com/keys'
export const DISCOVERY_AT = `${ISSUER}/.well-known/openid-configuration`

type Answer = (headers: Headers) => Response | Promise<Response>

export const json = (value: unknown, init?: ResponseInit): Answer => {
  return () => new Response(JSON.stringify(value), init)
}

export const publicHalf = ({ d, p, q, dp, dq, qi, ...rest }: JWK): JWK => rest

export const issuedClaims = (other: Record<string, unknown> = {}): Record<string, unknown> =>
  claims({ iss: ISSUER, ...other })

const network = globalThis.fetch

/** What stands at each address of a provider, and everything that it was asked; no network, but for this machine. */
export const scripted = async (options: Partial<ProviderOptions> = {}, alg = 'ES256') => {
  const key = await newProviderKey('one', alg)
  const clock = new SettableClock()
  const asked: string[] = []
  const troubles: Error[] = []
  const answers = new Map<string, Answer>([
    [DISCOVERY_AT, json({ issuer: ISSUER, jwks_uri: KEYS_AT })],
    [KEYS_AT, json({ keys: [publicHalf(key)] })],
  ])
  vi.stubGlobal('fetch', async (given: URL | string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(given)
    if (isLoopback(url.hostname)) return await network(url, init)
    asked.push(url.href)
    return (await answers.get(url.href)?.(new Headers(init.headers))) ?? new Response('', { status: 404 })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const verifier = createProviderTokenVerifier({
    issuer: ISSUER,
    audience: ['rollcall'],
    clock,
    onProviderTrouble: (error) => troubles.push(error as Error),
    ...options,
  })
  return { key, clock, asked, troubles, answers, verifier, sign: signerWith(key) }
}
