import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export interface Visit extends AsyncDisposable {
  readonly page: Page
  /** The complaints of the browser: console errors (a broken policy is one), and requests to other sites. */
  readonly complaints: readonly string[]
}

// Chromium reports a page with a 4xx status as an error, too.
const FORESEEN = /^Failed to load resource: the server responded with a status of 4\d\d/

/** A visitor with a fresh browser context, restricted to the given origins. */
export const visit = async (
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Visit> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !FORESEEN.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complaints.push(`asked for ${request.url()}`)
  })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}
