import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyPage } from '../support/every-page.ts'
import { openBrowser } from '../support/open-browser.ts'
import { type OpenServer, startServer } from '../support/open-server.ts'
import { visit } from '../support/visit.ts'

const ROLLCALL = 'http://rollcall.example'
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [320, 1280].map((width) => ({ colorScheme, width, height: 800 })),
)

/** What can be different in another window, or in other colours. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

// These functions run in the page.
const violations = (
  what: object,
): string => `axe.run({ runOnly: ${JSON.stringify(what)}, resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' ')))`
const ALL = violations({ type: 'tag', values: RULES })
const OF_LOOKS = violations({ type: 'rule', values: LOOK_RULES })
const SHAPE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const controls = 'button, input:not([type=hidden], [type=checkbox]), summary, .way a, label.tick'
  const small = [...document.querySelectorAll(controls)].filter(
    (element) => !element.closest('.trap') && element.getBoundingClientRect().height < 44,
  )
  return [
    ...(scrollWidth > clientWidth ? ['wider than the window: ' + scrollWidth] : []),
    ...small.map(({ outerHTML }) => 'lower than 44 pixels: ' + outerHTML),
  ]
})()`

describe.each(['en', 'de', 'fr', 'es'])('every page in %s', (language) => {
  let server: OpenServer
  let browser: Browser
  beforeAll(async () => {
    server = await startServer({ publicUrl: ROLLCALL })
    browser = await openBrowser({ 'rollcall.example': server.port })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  it('is accessible, fits, and loads nothing from other sites, light or dark, narrow or wide, or enlarged', async () => {
    // A colour in transition would be measured half-way.
    await using visitor = await visit(browser, [ROLLCALL], { locale: language, reducedMotion: 'reduce' })
    const { page, complaints } = visitor
    const found: Record<string, unknown> = {}
    for (const [name, goTo] of Object.entries(await everyPage(server, ROLLCALL))) {
      await goTo(page)
      await page.evaluate(axe.source)
      for (const [i, { colorScheme, width, height }] of LOOKS.entries()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height })
        const violated = await page.evaluate<string[]>(i === 0 ? ALL : OF_LOOKS)
        const problems = [...violated, ...(await page.evaluate<string[]>(SHAPE))]
        if (problems.length > 0) found[`${name}, ${colorScheme}, ${width}`] = problems
      }
      // A window on a desk, at twice the size; and with larger text alone.
      await page.setViewportSize({ width: 640, height: 400 })
      const zoomed = await page.evaluate<string[]>(SHAPE)
      if (zoomed.length > 0) found[`${name}, at 200 %`] = zoomed
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
      const enlarged = await page.evaluate<string[]>(SHAPE)
      if (enlarged.length > 0) found[`${name}, with text of 200 %`] = enlarged
      if ((await page.getAttribute('html', 'lang')) !== language) found[name] = 'in another language'
    }
    expect([found, complaints]).toEqual([{}, []])
  })
})
