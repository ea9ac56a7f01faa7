import { FRESH_LOGIN, MINUTE } from '@rollcall/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lenientProvider } from './support/lenient-provider.ts'
import { type OpenConsole, openConsole } from './support/open-console.ts'

let provider: Awaited<ReturnType<typeof lenientProvider>>
let at: OpenConsole
const warnings: object[] = []
beforeEach(async () => {
  provider = await lenientProvider()
  const log = { debug: () => undefined, warn: (fields: object) => void warnings.push(fields), error: () => undefined }
  at = await openConsole({ provider: provider.login, log })
  at.clock.advance(Date.now() - at.clock.now())
})
afterEach(async () => {
  warnings.splice(0)
  await at.close()
  await provider.close()
})

const SECOND = 1_000
const FRESH_ONLY = '/tokens/-/new'
const EXPORT = '/transfer/export?feed=weekly&format=csv'
const AGAIN = { again: 'yes', to: EXPORT }

/** A login of an administrator; `age` in milliseconds is how long ago the provider asked who it is, if it says so. */
const logIn = async (age: number | undefined, form: Readonly<Record<string, string>> = {}, browser = at.browser()) => {
  const { token } = await at.tokens.issue({ subject: 'ada', roles: ['admin'], lifetime: 3_600 })
  const authTime = age === undefined ? undefined : Math.floor((Date.now() - age) / SECOND)
  return { browser, ...(await provider.logIn(browser, form, { subject: 'ada', token, authTime })) }
}
const isFresh = async ({ browser }: Awaited<ReturnType<typeof logIn>>) => (await browser.get(FRESH_ONLY)).status === 200

describe('a login by an identity provider', () => {
  it('is as fresh as the provider says, and not as young as its session', async () => {
    const login = await logIn(FRESH_LOGIN - 2 * MINUTE)
    expect([login.answer.headers.location, await isFresh(login)]).toEqual(['/', true])
    at.clock.advance(2 * MINUTE)
    expect(await isFresh(login)).toBe(false)
    expect(await isFresh(await logIn(FRESH_LOGIN + MINUTE))).toBe(false)
  })

  it('is not fresh where the provider does not say when it was', async () => {
    const login = await logIn(undefined)
    expect([login.answer.status, (await login.browser.get('/')).status]).toEqual([303, 200])
    expect((await login.browser.get(FRESH_ONLY)).text).toContain('Log in once more')
  })

  it('is fresh for no longer where the clock of the provider is ahead', async () => {
    const login = await logIn(-10 * MINUTE)
    expect(await isFresh(login)).toBe(true)
    at.clock.advance(FRESH_LOGIN)
    expect(await isFresh(login)).toBe(false)
  })

  it('is no other than it was, whatever its browser says', async () => {
    const { browser } = await logIn(FRESH_LOGIN + MINUTE)
    const [[name, secret] = ['', '']] = [...browser.cookies]
    const [random] = secret.split('.')
    expect(secret).toMatch(/^[0-9a-f]{64}\.\d{13}$/)
    for (const other of [random, `${random}.${Date.now()}`, `${secret}0`])
      expect((await at.request('GET', '/', { Cookie: `${name}=${other}` })).status).toBe(303)
  })
})

describe('a login once more', () => {
  it('has the provider ask, and goes on where it was asked for', async () => {
    const usual = await logIn(0)
    expect(['prompt', 'max_age'].map((name) => usual.asked.get(name))).toEqual([null, null])
    const login = await logIn(2 * SECOND, AGAIN)
    expect(['prompt', 'max_age'].map((name) => login.asked.get(name))).toEqual(['login', '0'])
    expect([login.answer.headers.location, await isFresh(login)]).toEqual([EXPORT, true])
  })

  it('may take as long as a person takes at the provider', async () => {
    expect(await isFresh(await logIn(5 * MINUTE, AGAIN))).toBe(true)
  })

  it.each([
    ['does not say when it was', undefined],
    ['asked nobody', 12 * MINUTE],
  ])('is refused where the provider %s, which the page says with what to do, and the log', async (_, age) => {
    const before = await logIn(undefined)
    const { browser, answer } = await logIn(age, AGAIN, before.browser)
    expect([answer.status, answer.headers.location]).toEqual([401, undefined])
    expect(answer.text).toContain('the claim auth_time of its ID token is missing, or old')
    expect(answer.text).toContain('rollcall console login')
    expect((await browser.get('/')).status).toBe(200)
    expect(warnings).toMatchObject([{ reason: 'provider', err: { message: expect.stringContaining('auth_time') } }])
  })
})
