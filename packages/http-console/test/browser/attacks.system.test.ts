import { operator } from '@rollcall/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { arriveAt } from '../support/arrive.ts'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'

const OPS = operator('ops')

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

const arrive = () => arriveAt(at, browser)
const heading = (page: Page) => page.textContent('h1')

it('cannot be framed, nor be sent a form, by another page', async () => {
  await using visitor = await arrive()
  const { page } = visitor
  const cookies = await page.context().cookies()
  expect(cookies).toMatchObject([{ name: `rollcall-console-${at.port}`, httpOnly: true, sameSite: 'Lax' }])
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

it('issues one token for a button that is pressed twice, and shows it', async () => {
  await using visitor = await arrive()
  const { page } = visitor
  await page.goto(`${origin}/tokens/-/new`)
  await page.fill('input[name=subject]', 'mailer')
  await page.check('input[value=sender]')
  const before = (await at.useCases.listTokens.execute({}, OPS)).items.length
  await Promise.all([page.waitForURL('**/tokens/-/new'), page.dblclick('main form button[type=submit]')])
  await page.waitForSelector('main pre')
  expect((await at.useCases.listTokens.execute({}, OPS)).items).toHaveLength(before + 1)
})
