import { expect, it } from 'vitest'
import { openBrowser } from '../browser.ts'
import { freePort } from '../free-port.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

it.each([true, false])('finds, deletes and reads the trail in a browser; scripts: %s', async (javaScriptEnabled) => {
  const port = String(await freePort())
  await using database = await Database.make()
  await using home = await Home.make({ DATABASE_URL: database.url, CONSOLE_PORT: port })
  await home.serveInProcess()
  const people = Array.from({ length: 250 }, (_, n) => `person-${n}`)
  const admin = await home.token('importer', 'admin')
  await fetch(`${home.url}/users/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/x-ndjson' },
    body: people.map((id) => `${JSON.stringify({ id, email: `${id}@example.com` })}\n`).join(''),
  })
  await home.signUp('person-7@example.com')
  const browser = await openBrowser()
  try {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
    const go = (path: string) => page.goto(`http://127.0.0.1:${port}${path}`)
    await page.goto((await home.run('console', 'login')).stdout.trim())
    await page.click('main button')
    await page.fill('#q', 'person-7@example.com')
    await page.press('#q', 'Enter')
    expect(await page.textContent('main')).toContain('person-7')
    await go('/deletions')
    // As pasting does, which types no letter by itself.
    await page.$eval('#ids', (area, text) => Object.assign(area, { value: text }), people.join('\n'))
    const click = async (what: string) => {
      await page.click(what)
      await page.waitForLoadState()
    }
    await click('text=Show the plan')
    const goOn = async (until: string) => {
      if (javaScriptEnabled) await page.waitForSelector(until)
      else while ((await page.locator(until).count()) === 0) await click('button:has-text("Go on")')
    }
    await goOn('#typed')
    await page.fill('#typed', '250')
    await click('button.grave')
    await goOn('text=deleted: 250')
    await go('/audit?action=user.delete')
    expect(await page.locator('tbody tr').count()).toBe(50)
    await click('text=Verify the whole trail')
    await goOn('.notice.done')
    expect(await page.textContent('.notice.done')).toBe('The trail is intact.')
    expect(await database.query('SELECT count(*) AS users FROM user_account')).toEqual([{ users: '0' }])
  } finally {
    await browser.close()
  }
})
