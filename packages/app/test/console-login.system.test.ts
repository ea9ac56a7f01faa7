import { expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { freePort } from './free-port.ts'
import { CONSOLE_CLIENT, LoginProvider } from './login-provider.ts'
import { Home } from './running-service.ts'

it.each([true, false])(
  'logs in at a real identity provider, and comes back; scripts: %s',
  async (javaScriptEnabled) => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    await using provider = await LoginProvider.start(`${url}/login/callback`)
    await using home = await Home.make({
      CONSOLE_PORT: port,
      CONSOLE_CLIENT_ID: CONSOLE_CLIENT.id,
      CONSOLE_CLIENT_SECRET: CONSOLE_CLIENT.secret,
      AUTH_ISSUER: provider.issuer,
      AUTH_AUDIENCE: 'https://rollcall.example/api',
    })
    await home.serveInProcess()
    const browser = await openBrowser()
    try {
      const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
      const complaints: string[] = []
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
      await page.goto(`${url}/users?role=admin`)
      await page.locator('main button').first().click()
      await page.waitForURL(`${url}/users?role=admin`)
      expect(await page.textContent('h1')).toBe('Users')
      const cookies = await page.context().cookies(url)
      expect(cookies.filter(({ name }) => name.startsWith('rollcall'))).toMatchObject([{ httpOnly: true }])
      await page.click('.side .out button')
      await page.goto(`${url}/users`)
      expect(await page.textContent('h1')).toBe('Log in')
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
