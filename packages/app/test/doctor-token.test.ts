import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { HOUR } from '@rollcall/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alike, diagnosed } from './diagnosed.ts'
import { IdentityProvider } from './identity-provider.ts'
import { Home } from './running-service.ts'

let home: Home
let provider: IdentityProvider
beforeAll(async () => {
  home = await Home.make({ LOG_LEVEL: 'silent' })
  provider = await IdentityProvider.start()
})
afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const AUDIENCE = 'https://rollcall.example/api'
const ofProvider = (settings: Readonly<Record<string, string>> = {}) => ({
  AUTH_ISSUER: provider.issuer,
  AUTH_AUDIENCE: AUDIENCE,
  AUTH_ROLES_CLAIM: '/realm_access/roles',
  ...settings,
})

/** What is found of the token, as one text for each finding; nothing that is found shows any of the token. */
const explained = async (
  token: string | undefined,
  settings: Readonly<Record<string, string>> = ofProvider(),
  ahead = 0,
) => {
  const clock = { now: () => Date.now() + ahead }
  const environment = home.environment(settings)
  const { texts, all } = await diagnosed('given token', { sendTo: undefined, token, environment, clock })
  for (const part of token?.split('.') ?? []) if (part.length > 8) expect(all).not.toContain(part)
  expect(all).not.toMatch(/robot|"root"|offline|eyJ/)
  return texts
}
const says = async (token: string | undefined, expected: unknown, settings?: Record<string, string>, ahead = 0) =>
  expect(await explained(token, settings, ahead)).toEqual(alike(expected))

const changed = (token: string, part: 0 | 1, fields: object): string =>
  token
    .split('.')
    .map((text, at) => {
      if (at !== part) return text
      const whole = { ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...fields }
      return Buffer.from(JSON.stringify(whole)).toString('base64url')
    })
    .join('.')

describe('a token that is given to the doctor', () => {
  it('is not looked for where none is given', async () => {
    await says(undefined, [])
  })

  it('of the provider is good, with the roles that count', async () => {
    await says(await provider.token('root'), /^ok: It is good for (59|60) min more, with the role admin\./)
  })

  it('is warned of where it has no role that counts', async () => {
    await says(
      await provider.token('robot'),
      /^warning: It is good .* lists no known role at \/realm_access\/roles\. .*AUTH_ROLES_CLAIM/,
    )
  })

  it('for another service is explained by the audience', async () => {
    await says(
      await provider.token('root', 'account'),
      /^failed: Its aud has none of ROLLCALL_AUTH_AUDIENCE \(https:.*api\)\. .*audience mapper/,
    )
  })

  it('is explained by everything that is wrong with it at once', async () => {
    const token = await provider.token('root', 'account')
    const settings = ofProvider({ AUTH_ISSUER: `${provider.issuer}/` })
    const odd = changed(changed(token, 1, { at_hash: 'h' }), 0, { kid: 'unknown', typ: 'logout+jwt' })
    const found = (await explained(odd, settings, 2 * HOUR)).join('\n')
    for (const words of [/Its iss is not /, /Its aud has none/, /It expired 60 min ago/, /at_hash/, /\(typ\)/])
      expect(found).toMatch(words)
    expect(found).not.toMatch(/^ok/m)
    expect((await explained(changed(token, 0, { kid: 'unknown' }))).join()).toMatch(/key id \(kid\)/)
    expect((await explained(changed(token, 1, { aud: AUDIENCE }))).join()).toMatch(/^failed: Its signature/)
  })

  it.each([
    ['an ID token of Cognito', { token_use: 'id' }, /^failed: It is for another use than access \(token_use\)/],
    ['an ID token of Keycloak', { typ: 'ID' }, /^failed: Its type \(typ\)/],
    ['an ID token of Entra ID', { tid: 't', ver: '2.0' }, /^failed: It is an ID token of Entra ID/],
  ])('that is %s is refused, and the setting for those is named', async (_what, claims, words) => {
    const token = changed(await provider.token('root'), 1, claims)
    const [found, ...others] = await explained(token)
    expect(found).toMatch(/^failed: Its signature/)
    expect(others).toEqual([expect.stringMatching(words)])
    expect(others.join()).toContain('ROLLCALL_AUTH_ACCEPT_ID_TOKENS=on')
    await says(token, found, ofProvider({ AUTH_ACCEPT_ID_TOKENS: 'on' }))
  })

  it('that has expired is said to have expired when it did, and judged by its other claims, too', async () => {
    const exp = Math.floor(Date.now() / 1_000) - 3_600
    const expired = changed(await provider.token('root', 'account'), 1, { exp })
    const found = (await explained(expired)).join('\n')
    for (const words of [/^failed: It expired 60 min ago\./m, /^failed: Its aud has none/m])
      expect(found).toMatch(words)
    const never = changed(await provider.token('root'), 1, { exp: 'never' })
    expect((await explained(never)).join()).not.toMatch(/min ago/)
  })

  it('is judged by its claims alone where the keys are out of reach', async () => {
    await using other = await IdentityProvider.start()
    const [good, bad] = [await other.token('root'), await other.token('root', 'account')]
    await other.stop()
    const settings = ofProvider({ AUTH_ISSUER: other.issuer })
    await says(good, /^warning: Its signature cannot be checked/, settings)
    await says(bad, [/^warning: Its signature cannot be checked/, /^failed: Its aud/], settings)
  })

  it.each(['', 'secret', 'x.y.z', 'x'.repeat(9_000)])('may be none at all: %.10s', async (text) => {
    await says(text, /^failed: It is (no JWT|longer than)/)
  })

  it('may be an own one', async () => {
    const foreign = await provider.token('root', 'rollcall')
    await says(foreign, /^warning: There is no key/, {})
    await home.run('migrate')
    const token = await home.token('boss', 'auditor')
    await says(token, /^ok: It is good .* with the role auditor/, {})
    await says(token, [
      /^ok: It was issued here, .* opens SCIM alone\./,
      /^ok: It is good for (59|60) min more, with the role auditor/,
    ])
    await says(token, /^failed: It expired 60 min ago.*rollcall token issue/, undefined, 2 * HOUR)
    await says(token, /^failed: It expired 60 min ago/, {}, 2 * HOUR)
    const found = (await explained(foreign, {})).join('\n')
    expect(found).toMatch(/Its iss is not rollcall\. .*rollcall token issue.*ROLLCALL_AUTH_ISSUER/)
  })
})

describe('rollcall doctor --token FILE', () => {
  it('explains the token in the file, and exits 3 where it is refused', async () => {
    const file = path.join(home.folder, 'token')
    await writeFile(file, `${await provider.token('root', 'account')}\n`)
    const ran = await home.runWith(ofProvider(), 'doctor', '--token', file)
    expect(ran).toMatchObject({ code: 3, stdout: expect.stringMatching(/^failed {3}given token: Its aud has none/m) })
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('eyJ')
  })
})

describe('an own token that is given to the doctor', () => {
  it('is said to be bound to feeds, and to be revoked', async () => {
    await home.run('migrate')
    await home.run('feed', 'put', 'weekly')
    const issue = ['token', 'issue', '--subject', 'mailer', '--role', 'sender', '--json']
    const [bound, free] = [await home.run(...issue, '--feed', 'weekly'), await home.run(...issue)].map(({ stdout }) =>
      JSON.parse(stdout),
    )
    const good = expect.stringMatching(/^ok: It is good for (59|60) min more, with the role sender\./)
    await says(bound.token, [good, /^ok: It is bound to the feed weekly\./], {})
    await says(free.token, good, {})
    expect((await home.run('token', 'revoke', free.token_id)).code).toBe(0)
    await says(free.token, /^failed: It was revoked\. Get another/, {})
    expect(await explained(bound.token, {})).toHaveLength(2)
  })

  it('is judged as a request would judge it: a token that lists feeds speaks for a sender alone', async () => {
    const settings = ofProvider({ AUTH_FEEDS_CLAIM: 'roles', AUTH_ROLES_CLAIM: 'none' })
    await says(
      await provider.token('robot'),
      [/^warning: .* lists feeds, but not the role sender\./, /^ok: It is bound to the feed admin\./],
      settings,
    )
  })
})
