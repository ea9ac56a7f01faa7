import { FRESH_LOGIN } from '@rollcall/core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { lookAgain, lookAt, shapeOf } from '../support/look-at.ts'
import { LOOKS } from '../support/looks.ts'
import { openBrowser } from '../support/open-browser.ts'
import { visit } from '../support/visit.ts'

describe('every screen', () => {
  let at: FilledConsole
  let browser: Browser
  beforeAll(async () => {
    at = await filledConsole()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await at.close()
  })

  it('is accessible, fits, and loads nothing from other sites, light or dark, narrow or wide', async () => {
    const origin = `http://localhost:${at.port}`
    await using visitor = await visit(browser, [origin], { reducedMotion: 'reduce', javaScriptEnabled: true })
    const { page, complaints } = visitor
    // It would go on with what is looked at.
    await page.route('**/script.js', (route) => route.fulfill({ body: '' }))
    const found: Record<string, unknown> = {}
    const look = async (name: string) => {
      for (const [i, { colorScheme, viewport }] of LOOKS.entries()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        const problems = await (i === 0 ? lookAt : lookAgain)(page)
        if (problems.length > 0) found[`${name}, ${colorScheme}, ${viewport.width}`] = problems
      }
      // A window on a desk, at twice the size.
      await page.setViewportSize({ width: 640, height: 450 })
      const problems = await shapeOf(page)
      if (problems.length > 0) found[`${name}, at 200 %`] = problems
    }
    await page.goto(`${origin}/login?out`)
    await look('login')
    await page.goto(`${origin}/login/${await at.link()}`)
    await look('login link')
    await page.click('main button')
    for (const path of Object.keys(at.screens)) {
      await page.goto(origin + path)
      await look(path)
    }
    // What the browser itself would refuse is sent, so that the console says what is wrong.
    const send = async (path: string, fields: Readonly<Record<string, string>>) => {
      await page.goto(origin + path)
      for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value)
      await page.$eval('main form:last-of-type', (form) => Object.assign(form, { noValidate: true }))
      await page.locator('main form:last-of-type button[type=submit]').last().click()
      await page.waitForLoadState()
      expect([path, await page.locator('.notice.alarm').count()]).toEqual([path, 1])
      await look(`${path}, refused`)
    }
    await send('/users/-/new', { id: 'x y', email: 'none' })
    await send('/feeds/-/new', { name: 'A B', sender: '<', fields: '{' })
    await send('/webhooks/-/new', { name: 'A B', url: 'none' })
    await send('/feeds/weekly/face', { accent: 'red' })
    await send('/feeds/weekly/mail?lang=de', { to: 'none' })
    await send('/suppressions/-/check', { addresses: '' })
    await send('/users/ada/suspend', { reason: 'ada@example.com' })
    await send('/deletions', { ids: ' ' })
    await page.goto(`${origin}/deletions`)
    await page.fill('#ids', Array.from({ length: 250 }, (_, n) => `of-a-list-${n}`).join('\n'))
    await page.click('main button[type=submit]')
    expect(await page.locator('#progress').getAttribute('value')).toBe('200')
    await look('a deletion in progress')
    for (const q of ['example.com', 'nothing-of-this-name']) {
      await page.fill('#q', q)
      await page.press('#q', 'Enter')
      await page.waitForURL(`${origin}/find`)
      await look(`found: ${q}`)
    }
    await page.goto(`${origin}/users`)
    await page.$eval('.menu', (menu) => Object.assign(menu, { open: true }))
    await look('the menu, open')
    at.clock.advance(FRESH_LOGIN)
    await page.goto(`${origin}/feeds/weekly/delete`)
    expect(await page.textContent('h1')).toBe('Log in once more')
    await look('a login that is too old')
    expect([found, complaints]).toEqual([{}, []])
  })
})
