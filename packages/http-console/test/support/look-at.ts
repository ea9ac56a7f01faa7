import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What can be different in another window, or in other colours. */
const LOOK_RULES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

// These functions run in the page.
const violations = (
  what: object,
): string => `axe.run({ runOnly: ${JSON.stringify(what)}, resultTypes: ['violations'], preload: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' ')))`
const ALL = violations({ type: 'tag', values: RULES })
const OF_LOOKS = violations({ type: 'rule', values: LOOK_RULES })
const SHAPE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const controls = 'button, input:not([type=hidden], [type=checkbox], [type=radio]), select, summary, nav a, .actions a, .tabs a, .chips a, label.tick'
  const small = [...document.querySelectorAll(controls)].filter((element) => {
    const { height } = element.getBoundingClientRect()
    return height > 0 && height < (element.closest('td') ? 32 : 44)
  })
  return [
    ...(scrollWidth > clientWidth ? ['wider than the window: ' + scrollWidth] : []),
    ...small.map(({ outerHTML }) => 'too low: ' + outerHTML),
  ]
})()`

/** What is wrong with a page as it is shown now: for a reader with a small window, or a big thumb. */
export const shapeOf = async (page: Page): Promise<readonly string[]> => await page.evaluate<string[]>(SHAPE)

/** The same, and for a reader who cannot see it: this takes a browser that runs scripts. */
export const lookAt = async (page: Page): Promise<readonly string[]> => {
  // A click waits for the answer to begin, not for the style to be there.
  await page.waitForLoadState()
  // In one step: a script of the page may go on to another page meanwhile, which does not have it.
  const found = await page.evaluate<string[]>(`(() => { ${axe.source}\n;return ${ALL} })()`)
  return [...found, ...(await shapeOf(page))]
}

/** The same page again, in another window or in other colours. */
export const lookAgain = async (page: Page): Promise<readonly string[]> => [
  ...(await page.evaluate<string[]>(OF_LOOKS)),
  ...(await shapeOf(page)),
]
