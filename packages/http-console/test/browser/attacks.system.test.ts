import { text } from 'node:stream/consumers'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { arriveAt, putUsers, remaining } from '../support/arrive.ts'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'

let at: FilledConsole
let browser: Browser
let origin: string
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
})
beforeEach(async () => {
  at = await filledConsole()
  origin = `http://localhost:${at.port}`
})
afterEach(async () => {
  expect(at.problems).toEqual([])
  await at.close()
})

const arrive = (options: BrowserContextOptions = {}) => arriveAt(at, browser, options)
const heading = (page: Page) => page.textContent('h1')

it('goes on with a deletion of 5,000 after the browser was closed in the middle: nothing is done twice or left untold', async () => {
  const ids = await putUsers(at, 5_000)
  let path = ''
  {
    await using visitor = await arrive()
    const { page } = visitor
    await page.goto(`${origin}/deletions`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(ids.join('\n'))})`)
    await page.focus('#ids')
    await page.keyboard.press('ControlOrMeta+v')
    await page.click('text=Show the plan')
    await page.waitForSelector('#typed', { timeout: 60_000 })
    await page.fill('#typed', '5000')
    await page.click('button.grave')
    await page.waitForSelector('#progress')
    path = new URL(page.url()).pathname
  }
  const left = await remaining(at, ids)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(5_000)
  await using visitor = await arrive({ javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(`${origin}/deletions`)
  const click = async (what: string) => {
    await page.click(what)
    await page.waitForLoadState()
  }
  await click(`a[href='${path}']`)
  while ((await page.locator('button:has-text("Go on")').count()) > 0) await click('button:has-text("Go on")')
  expect(await remaining(at, ids)).toBe(0)
  expect((await page.locator('.tabs').allTextContents()).join()).toContain('deleted: 5000')
  const download = page.waitForEvent('download')
  await page.click('text=Download the report')
  const report = await (await download).createReadStream()
  const rows = (await text(report)).trim().split('\r\n').slice(1)
  expect(rows.toSorted()).toEqual(ids.map((id, n) => `${n + 1},${id},deleted,`).toSorted())
  const deleted: string[] = []
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next } = await at.storage.readers.audit.list({ after, limit: 2_000 })
    for (const { action, outcome, target = '' } of items)
      if (action === 'user.delete' && outcome === 'done' && /^u\d/.test(target)) deleted.push(target)
    after = next
  }
  expect(deleted.toSorted()).toEqual(ids.toSorted())
})

it('cannot be framed, nor be sent a form, by another page', async () => {
  await using visitor = await arrive()
  const { page } = visitor
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: 'rollcall-console', httpOnly: true, sameSite: 'Lax' }])
  const evil = await page.context().newPage()
  await evil.route('http://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe src="${origin}/"></iframe><form method="post" action="${origin}/logout"><button>x</button></form>`,
    }),
  )
  await evil.goto('http://evil.example/')
  // What the browser shows instead is a page of its own.
  expect(await evil.frames()[1]?.title()).not.toContain('Rollcall')
  await evil.click('button')
  await evil.waitForURL(`${origin}/logout`)
  expect(await heading(evil)).toBe('This did not work')
  await page.goto(`${origin}/health`)
  expect(await heading(page)).toBe('Health')
})

it('shows nothing under a name that an attacker has point here', async () => {
  await using visitor = await arrive()
  const evil = await visitor.page.context().newPage()
  const answer = await evil.goto(`http://rebound.example:${at.port}/users`)
  expect([answer?.status(), await heading(evil)]).toEqual([421, 'This did not work'])
})
