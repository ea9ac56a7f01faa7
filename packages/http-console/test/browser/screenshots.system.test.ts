import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { filledConsole } from '../support/filled-console.ts'
import { openBrowser } from '../support/open-browser.ts'
import { publicStyle } from '../support/public-style.ts'
import { visit } from '../support/visit.ts'

const IMAGES = path.join(import.meta.dirname, '../../../../docs/guides/images')

// To be made anew, remove them and run this.
it('has a picture of its main screens in the guide', async () => {
  const at = await filledConsole({ style: { base: publicStyle(), theme: '' } })
  const browser = await openBrowser()
  try {
    const origin = `http://localhost:${at.port}`
    await using visitor = await visit(browser, [origin], {
      javaScriptEnabled: false,
      viewport: { width: 1100, height: 760 },
    })
    const { page } = visitor
    await page.goto(`${origin}/login/${await at.link()}`)
    await page.click('main button')
    const paths = Object.keys(at.screens)
    const screens = {
      'console-person': paths.find((each) => /^\/subscriptions\/\d+$/.test(each)),
      'console-deletion': paths.find((each) => /^\/deletions\/[0-9a-f]+$/.test(each)),
    }
    await mkdir(IMAGES, { recursive: true })
    for (const [name, place = '/'] of Object.entries(screens)) {
      const file = path.join(IMAGES, `${name}.png`)
      await page.goto(origin + place)
      if (!existsSync(file)) await page.screenshot({ path: file })
      expect((await stat(file)).size).toBeGreaterThan(10_000)
    }
  } finally {
    await browser.close()
    await at.close()
  }
})
