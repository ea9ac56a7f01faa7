import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { busyWeeks } from '../support/busy-weeks.ts'
import { type FilledConsole, filledConsole } from '../support/filled-console.ts'
import { LOOKS } from '../support/looks.ts'
import { openBrowser } from '../support/open-browser.ts'
import { screenOf } from '../support/page-routes.ts'
import { differenceOf, smallPng } from '../support/small-png.ts'
import { visit } from '../support/visit.ts'

const FOLDER = path.join(import.meta.dirname, 'pictures')
const RENEWS = process.env.MODE === 'screenshots'
/** The share that may look otherwise: fonts differ from machine to machine, a header that hangs does not. */
const BOUND = 0.06

const SCREENS: Readonly<Record<string, string>> = {
  start: '/',
  health: '/health',
  subscriptions: '/subscriptions',
  subscription: '/subscriptions/{id}',
  user: '/users/{id}',
  deletions: '/deletions',
  feed: '/feeds/{name}',
  webhook: '/webhooks/{name}',
  transfer: '/transfer',
  audit: '/audit',
}
const NAMES = Object.keys(SCREENS).flatMap((name) =>
  LOOKS.map(({ colorScheme, viewport }) => `${name}-${viewport.width}-${colorScheme}`),
)

/** `npm run screenshots` makes the pictures anew. */
describe('ten screens', () => {
  let at: FilledConsole
  let browser: Browser
  beforeAll(async () => {
    at = await filledConsole({}, {}, busyWeeks)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await at.close()
  })

  const arrive = async () => {
    const origin = `http://localhost:${at.port}`
    // Without scripts, times are the same in every zone. Half the size says as much of where things are.
    const options = { javaScriptEnabled: false, deviceScaleFactor: 0.5, reducedMotion: 'reduce' } as const
    const visitor = await visit(browser, [origin], options)
    const { page } = visitor
    await page.goto(`${origin}/login/${await at.link()}`)
    await page.click('main button')
    let more = ''
    await page.route('**/style.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()) + more })
    })
    const take = async (screen: string, { colorScheme, viewport }: (typeof LOOKS)[number], style = '') => {
      more = style
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      const address = origin + (screenOf(SCREENS[screen] ?? '', at) ?? '')
      // A browser on a busy machine sometimes cannot take a picture ("Unable to capture screenshot"): it opens the page again.
      for (let attempt = 1; ; attempt++) {
        await page.goto(address)
        try {
          return smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
        } catch (error) {
          if (attempt === 5 || !String(error).includes('Unable to capture screenshot')) throw error
        }
      }
    }
    return { take, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() }
  }

  it('look as they did, light and dark, narrow and wide', async () => {
    await using visitor = await arrive()
    if (RENEWS) await mkdir(FOLDER, { recursive: true })
    const found: Record<string, number> = {}
    for (const screen of Object.keys(SCREENS))
      for (const look of LOOKS) {
        const name = `${screen}-${look.viewport.width}-${look.colorScheme}`
        const file = path.join(FOLDER, `${name}.png`)
        const picture = await visitor.take(screen, look)
        if (RENEWS) await writeFile(file, picture)
        const difference = differenceOf(picture, await readFile(file))
        if (difference > BOUND) found[name] = difference
      }
    expect(found).toEqual({})
    expect((await readdir(FOLDER)).toSorted()).toEqual(NAMES.map((name) => `${name}.png`).toSorted())
  })

  it('look otherwise where something hangs, is gone, or has another colour', async () => {
    await using visitor = await arrive()
    for (const look of LOOKS) {
      const before = await visitor.take('feed', look)
      for (const style of ['.top { margin-top: 120px }', '.head { display: none }', 'body { background: #777 }'])
        expect([style, differenceOf(before, await visitor.take('feed', look, style)) > BOUND]).toEqual([style, true])
    }
  })
})
