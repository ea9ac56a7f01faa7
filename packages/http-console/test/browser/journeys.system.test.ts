import { operator } from '@rollcall/core/all'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'
import { publicStyle } from '../support/public-style.ts'
import { visit } from '../support/visit.ts'

const OPS = operator('ops')

let at: FilledConsole
let browser: Browser
let origin: string
beforeEach(async () => {
  at = await filledConsole({ style: { base: publicStyle(), theme: '' } })
  origin = `http://localhost:${at.port}`
  browser = await openBrowser({ localhost: at.port })
})
afterEach(async () => {
  await browser?.close()
  expect(at.problems).toEqual([])
  await at.close()
})

const arrive = async (options: BrowserContextOptions = {}) => {
  const visitor = await visit(browser, [origin], options)
  await visitor.page.goto(`${origin}/login/${await at.link()}`)
  await visitor.page.click('main button')
  await visitor.page.waitForURL(`${origin}/`)
  return visitor
}
const heading = (page: Page) => page.textContent('h1')
const putUsers = async (count: number) => {
  const ids = Array.from({ length: count }, (_, n) => `u${n}`)
  for (const userId of ids)
    await at.useCases.putUser.execute({ userId, email: `${userId}@example.com`, name: '', roles: [] }, OPS)
  return ids
}
const remaining = async (ids: readonly string[]) => {
  const left = ids.map((userId) =>
    at.useCases.getUser.execute({ userId }, OPS).then(
      () => 1,
      () => 0,
    ),
  )
  return (await Promise.all(left)).reduce((sum, one) => sum + one, 0)
}

describe.each([true, false])('with scripts: %s', (javaScriptEnabled) => {
  it('finds a person, and ends a subscription by keyboard alone', async () => {
    await using visitor = await arrive({ javaScriptEnabled })
    const { page, complaints } = visitor
    // The box has the focus.
    await page.keyboard.type('ada@example.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/subscriptions\/\d+$/)
    expect(page.url()).not.toContain('example.com')
    const path = new URL(page.url()).pathname
    const tabTo = async (text: string) => {
      for (let times = 0; times < 80; times++) {
        await page.keyboard.press('Tab')
        const focused = await page.locator(':focus').textContent()
        if (focused?.trim() === text) return
      }
      throw new Error(`'${text}' is not reached by Tab.`)
    }
    await tabTo('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}${path}/end`)
    await page.locator('#reason').focus()
    await page.keyboard.type('by letter')
    await page.keyboard.press('Enter')
    await page.waitForURL(/done=ended/)
    expect(await page.textContent('.notice.done')).toBe('The subscription has ended.')
    expect(complaints).toEqual([])
  })

  it('deletes users from a pasted list, with a plan, a number to type, a report and an undo', async () => {
    const ids = await putUsers(230)
    await using visitor = await arrive({ javaScriptEnabled })
    const { page, complaints } = visitor
    await page.goto(`${origin}/deletions`)
    await page.fill('#ids', [...ids, 'missing'].join('\n'))
    await page.click('text=Show the plan')
    const goOn = async (until: string) => {
      for (let times = 0; times < 20 && (await page.locator(until).count()) === 0; times++) {
        if (javaScriptEnabled) await page.waitForSelector(until)
        else await page.click('button:has-text("Go on")')
      }
    }
    await goOn('#typed')
    expect(await remaining(ids)).toBe(230)
    await page.fill('#typed', '230')
    await page.click('button.grave')
    await goOn('text=Undo deletions: 230')
    expect(await remaining(ids)).toBe(0)
    await page.click('text=stays: 1')
    expect(await page.textContent('tbody')).toContain('There is no such user.')
    await page.click('text=All rows')
    await page.click('text=Undo deletions: 230')
    await goOn('text=restored: 230')
    expect(await remaining(ids)).toBe(230)
    expect(complaints).toEqual([])
  })
})

it('goes on with a deletion after the browser was closed in the middle, and nothing is done twice or left untold', async () => {
  const ids = await putUsers(600)
  let path = ''
  {
    await using visitor = await arrive()
    const { page } = visitor
    await page.goto(`${origin}/deletions`)
    await page.fill('#ids', ids.join('\n'))
    await page.click('text=Show the plan')
    await page.waitForSelector('#typed')
    await page.fill('#typed', '600')
    await page.click('button.grave')
    await page.waitForSelector('#progress')
    path = new URL(page.url()).pathname
  }
  const left = await remaining(ids)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(600)
  await using visitor = await arrive({ javaScriptEnabled: false })
  const { page } = visitor
  await page.goto(`${origin}/deletions`)
  await page.click(`a[href='${path}']`)
  while ((await page.locator('button:has-text("Go on")').count()) > 0) await page.click('button:has-text("Go on")')
  expect(await remaining(ids)).toBe(0)
  expect((await page.locator('.actions').allTextContents()).join()).toContain('deleted: 600')
  const { items } = await at.storage.readers.audit.list({ after: 0, limit: 2_000 })
  const deleted = items
    .filter(({ action, outcome }) => action === 'user.delete' && outcome === 'done')
    .map(({ target }) => target)
  expect(new Set(deleted.filter((id) => id?.startsWith('u'))).size).toBe(600)
  expect(deleted.filter((id) => id?.startsWith('u'))).toHaveLength(600)
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
