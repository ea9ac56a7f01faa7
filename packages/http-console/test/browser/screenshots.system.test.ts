import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { busyWeeks } from '../support/busy-weeks.ts'
import { filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'
import { PAGE_ROUTES, screenOf } from '../support/page-routes.ts'
import { smallPng } from '../support/small-png.ts'
import { visit } from '../support/visit.ts'

const GUIDES = path.join(import.meta.dirname, '../../../../docs/guides')
const FOLDER = path.join(GUIDES, 'images/console')
const MOST_BYTES = 40_000

/** As files are named: `/users/{id}/edit` is `users-id-edit`. */
const nameOf = (route: string): string => route.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '') || 'start'

const LOGIN = ['login', 'login-link']
const FILES = [...LOGIN, ...PAGE_ROUTES.map(nameOf)].map((name) => `${name}.png`)

const take = async (page: Page, name: string): Promise<void> => {
  const { height } = await page.evaluate<{ height: number }>('({ height: document.documentElement.scrollHeight })')
  const clip = { x: 0, y: 0, width: 900, height: Math.min(height, 700) }
  const picture = await page.screenshot({ clip, fullPage: true, animations: 'disabled' })
  await writeFile(path.join(FOLDER, `${name}.png`), smallPng(picture))
}

describe('every screen', () => {
  // `npm run screenshots` makes them anew.
  it.runIf(process.env.MODE === 'screenshots')(
    'is taken a picture of',
    async () => {
      await mkdir(FOLDER, { recursive: true })
      const at = await filledConsole({}, {}, busyWeeks)
      const browser = await openBrowser()
      try {
        const origin = `http://localhost:${at.port}`
        const look = { javaScriptEnabled: false, viewport: { width: 900, height: 600 } }
        await using visitor = await visit(browser, [origin], look)
        const { page } = visitor
        await page.goto(`${origin}/login`)
        await take(page, 'login')
        await page.goto(`${origin}/login/${await at.link()}`)
        await take(page, 'login-link')
        await page.click('main button')
        for (const route of PAGE_ROUTES) {
          await page.goto(`${origin}${screenOf(route, at)}`)
          await take(page, nameOf(route))
        }
      } finally {
        await browser.close()
        await at.close()
      }
    },
    0,
  )

  it('has a picture, which is not large, and which the guide shows', async () => {
    expect(FILES.filter((file) => !existsSync(path.join(FOLDER, file)))).toEqual([])
    expect((await readdir(FOLDER)).toSorted()).toEqual([...new Set(FILES)].toSorted())
    const guide = await readFile(path.join(GUIDES, 'console-screens.md'), 'utf8')
    const unfit: string[] = []
    for (const file of FILES) {
      const { size } = await stat(path.join(FOLDER, file))
      if (size > MOST_BYTES || !guide.includes(`](images/console/${file})`)) unfit.push(`${file}: ${size}`)
    }
    expect(unfit).toEqual([])
  })
})
