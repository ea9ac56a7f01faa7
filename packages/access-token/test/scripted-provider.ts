import type { JWK } from 'jose'
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

/** What stands at each address of a provider, and everything that it was asked; no network. */
export const scripted = async (options: Partial<ProviderOptions> = {}, alg = 'ES256') => {
  const key = await newProviderKey('one', alg)
  const clock = new SettableClock()
  const asked: string[] = []
  const troubles: Error[] = []
  const answers = new Map<string, Answer>([
    [DISCOVERY_AT, json({ issuer: ISSUER, jwks_uri: KEYS_AT })],
    [KEYS_AT, json({ keys: [publicHalf(key)] })],
  ])
  const fetch = async (url: URL, { headers }: RequestInit = {}): Promise<Response> => {
    asked.push(url.href)
    return (await answers.get(url.href)?.(new Headers(headers))) ?? new Response('', { status: 404 })
  }
  const verifier = createProviderTokenVerifier({
    issuer: ISSUER,
    audience: ['rollcall'],
    clock,
    fetch,
    onProviderTrouble: (error) => troubles.push(error as Error),
    ...options,
  })
  return { key, clock, asked, troubles, answers, fetch, verifier, sign: signerWith(key) }
}
