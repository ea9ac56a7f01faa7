import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPages } from '../../src/index.ts'
import { everyPage } from '../support/every-page.ts'
import { openBrowser } from '../support/open-browser.ts'
import { type OpenServer, startServer } from '../support/open-server.ts'
import { visit } from '../support/visit.ts'

const ROLLCALL = 'http://rollcall.example'
const SIGN_UP = `${ROLLCALL}/subscribe`
const PICTURE = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/%3E'
const THEME = `:root { --accent: rgb(1, 100, 2); --width: 20rem; --card-radius: 0 }\r
main::before { content: url('${PICTURE}') }`
const WIDER = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

/** A computed style property of the first matching element. */
const computed = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`,
  )

describe('the appearance of pages', () => {
  let folder: string
  let server: OpenServer
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-pages-'))
    await writeFile(path.join(folder, 'theme.css'), THEME)
    await writeFile(path.join(folder, 'ar.json'), JSON.stringify({ signUp: { submit: 'اشترك', email: 'البريد' } }))
    server = await startServer({ publicUrl: ROLLCALL, pages: readPages(folder) })
    browser = await openBrowser({ 'rollcall.example': server.port })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await rm(folder, { recursive: true })
  })

  it('follows a theme, with its embedded images', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'])
    const { page, complaints } = visitor
    await page.goto(SIGN_UP)
    expect(await computed(page, 'button', 'background-color')).toBe('rgb(1, 100, 2)')
    expect(await computed(page, 'main', 'max-width')).toBe('320px')
    expect(await computed(page, 'main', 'border-top-left-radius')).toBe('0px')
    expect(complaints).toEqual([])
  })

  it('is mirrored for languages written from right to left, without a scroll bar', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'], { locale: 'ar-EG' })
    const { page, complaints } = visitor
    for (const [name, goTo] of Object.entries(await everyPage(server, ROLLCALL))) {
      await goTo(page)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect([name, width, await page.evaluate(WIDER)]).toEqual([name, width, false])
      }
      expect([name, await page.getAttribute('html', 'dir'), await computed(page, 'h1', 'direction')]).toEqual([
        name,
        'rtl',
        'rtl',
      ])
    }
    await page.goto(SIGN_UP)
    expect(await page.getAttribute('html', 'lang')).toBe('ar')
    expect(await page.getByRole('button', { name: 'اشترك' }).count()).toBe(1)
    const [card, label] = [await page.locator('main').boundingBox(), await page.locator('label').first().boundingBox()]
    expect(label!.x + label!.width).toBeGreaterThan(card!.x + card!.width / 2)
    expect(complaints).toEqual([])
  })

  it('is dark for people who prefer it', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'], { colorScheme: 'dark' })
    const { page } = visitor
    await page.goto(SIGN_UP)
    const dark = await computed(page, 'body', 'background-color')
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await computed(page, 'body', 'background-color')).not.toBe(dark)
  })

  it('has borders round buttons and fields with forced colours', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'], { forcedColors: 'active' })
    const { page } = visitor
    await page.goto(SIGN_UP)
    for (const control of ['button', '#email', '#name']) {
      const [colour, ground] = [
        await computed(page, control, 'border-top-color'),
        await computed(page, 'main', 'background-color'),
      ]
      expect([control, colour === ground]).toEqual([control, false])
      expect([control, await computed(page, control, 'border-top-style')]).toEqual([control, 'solid'])
    }
  })

  it('has no motion for people who prefer none', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'], { reducedMotion: 'reduce' })
    await visitor.page.goto(SIGN_UP)
    expect(await computed(visitor.page, 'button', 'transition-duration')).toBe('0s')
  })

  it('omits interactive elements on paper', async () => {
    await using visitor = await visit(browser, [ROLLCALL, 'null'])
    const { page } = visitor
    await page.goto(SIGN_UP)
    await page.emulateMedia({ media: 'print' })
    expect([await page.locator('button').isVisible(), await page.locator('h1').isVisible()]).toEqual([false, true])
  })
})
