import { generateKeyPairSync, sign as signed } from 'node:crypto'
import { parseEnv } from 'node:util'
import { createProviderTokenVerifier } from '@rollcall/access-token'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { rolesAdvice, subjectAdvice } from '../../src/doctor/token-advice.ts'
import { PROVIDER_TOKENS } from '../provider-tokens.ts'
import { read } from './blocks.ts'

/** The settings of each section of the guide that has some. */
const SETTINGS = read('docs/guides/identity-providers.md')
  .split(/^## /m)
  .flatMap((section) => {
    const [, heading = '', settings] = /^([^\n]*)\n.*?```ini \[\.env\]\n(.*?)```/s.exec(section) ?? []
    return settings === undefined ? [] : [{ heading, settings: parseEnv(settings) }]
  })

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] }
const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The provider of the settings, with a key of ours. */
const providerBy = (settings: NodeJS.Dict<string>) => {
  const provider = readConfig(settings).provider!
  const { issuer } = provider
  vi.stubGlobal('fetch', async (url: URL) =>
    Response.json(url.href === 'https://keys.example.com/' ? jwks : { issuer, jwks_uri: 'https://keys.example.com/' }),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const now = Math.floor(Date.now() / 1000)
  return {
    provider,
    verifier: createProviderTokenVerifier(provider),
    sign: (claims: object, header: object): string => {
      const payload = { iss: issuer, iat: now - 5, exp: now + 900, ...claims }
      const text = `${base64url({ alg: 'RS256', kid: 'k', ...header })}.${base64url(payload)}`
      return `${text}.${signed('sha256', Buffer.from(text), privateKey).toString('base64url')}`
    },
  }
}

describe('the guide to identity providers', () => {
  it('has a section for each provider whose tokens are known', () => {
    expect(SETTINGS.map(({ heading }) => heading)).toEqual(Object.keys(PROVIDER_TOKENS))
  })

  it.each(SETTINGS)('has settings by which a token of $heading is that of an administrator', async (section) => {
    const { header, claims } = PROVIDER_TOKENS[section.heading]!
    const { provider, verifier, sign } = providerBy(section.settings)
    const examination = await verifier.examine(sign(claims, header))
    expect(examination).toMatchObject({ failed: [], roles: expect.arrayContaining(['admin']) })
    expect(examination.subject).toBe(claims[provider.subjectClaim ?? 'sub'])
    expect(subjectAdvice(claims, provider)).toBeUndefined()
    // With nothing but what every provider needs, the doctor leads there.
    const [, remedy] = rolesAdvice(claims, { ...provider, rolesClaim: 'nothing', roleMap: undefined }, ['admin'])
    expect(remedy).toMatch(provider.roleMap === undefined ? `=${provider.rolesClaim}` : /_CLAIM=groups,.*ROLE_MAP/)
  })

  it.each(SETTINGS.filter(({ heading }) => PROVIDER_TOKENS[heading]?.idToken))(
    'has settings by which an ID token of $heading is refused',
    async ({ heading, settings }) => {
      const { header, claims, idToken } = PROVIDER_TOKENS[heading]!
      const { verifier, sign } = providerBy(settings)
      expect((await verifier.examine(sign({ ...claims, ...idToken }, header))).failed).not.toEqual([])
    },
  )
})
