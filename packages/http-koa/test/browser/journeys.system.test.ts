import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseFeedName } from '@rollcall/core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedForm } from '../../src/index.ts'
import { putFeed } from '../support/feeds.ts'
import { openBrowser } from '../support/open-browser.ts'
import { type OpenServer, startServer } from '../support/open-server.ts'
import { visit } from '../support/visit.ts'

const ROLLCALL = 'http://rollcall.example'
const SHOP = 'http://shop.example'
const ORIGINS = [ROLLCALL, SHOP]
// Runs in the page: the focused element, and whether the focus is visible.
const FOCUSED = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  return [element.id || element.tagName, outlineStyle, Number.parseFloat(outlineWidth) >= 2]
})()`
const WORDING = 'I want the letter every Friday. How we treat addresses: http://shop.example/privacy.'

describe('in a browser', () => {
  let server: OpenServer
  let shop: Server
  let browser: Browser
  /** The pages of the other site, by path. */
  const site = new Map<string, string>()

  beforeAll(async () => {
    server = await startServer({ publicUrl: ROLLCALL })
    shop = createServer(({ url = '' }, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><html lang="en"><title>${url}</title><link rel="icon" href="data:,">${site.get(url) ?? ''}`,
      )
    }).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    const { port } = shop.address() as AddressInfo
    browser = await openBrowser({ 'rollcall.example': server.port, 'shop.example': port })
    const returnUrls = [`${SHOP}/thanks?a=1&b=ü`, `${SHOP}/other`]
    await putFeed(server, 'letter', {
      title: 'The letter',
      wording: WORDING,
      returnUrls,
      confirmedUrl: `${SHOP}/confirmed`,
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    shop.close()
  })

  const come = (options?: BrowserContextOptions) => visit(browser, ORIGINS, { locale: 'en', ...options })
  let count = 0
  const newAddress = () => `reader${++count}@example.com`
  /** As long as a person takes. */
  const read = () => server.clock.advance(5_000)
  const heading = (page: Page) => page.locator('h1').innerText()
  const mailsTo = async (address: string) => {
    await server.useCases.deliverOutbox.execute({ limit: 100 })
    return server.transport.mails.filter(({ to }) => to === address)
  }

  it.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('people subscribe and confirm %s', async (_, javaScriptEnabled) => {
    await using visitor = await come({ javaScriptEnabled })
    const { page, complaints } = visitor
    const address = newAddress()
    await page.goto(`${ROLLCALL}/subscribe`)
    await page.fill('#email', address)
    read()
    await page.click('button')
    expect(await heading(page)).toBe('Check your mail')
    const [mail] = await mailsTo(address)
    await page.goto(mail!.links.confirm!)
    expect(await heading(page)).toBe('Confirm your subscription')
    await page.click('button')
    expect(await heading(page)).toBe('You are subscribed')
    expect(page.url()).toBe(mail!.links.confirm)
    expect(complaints).toEqual([])
  })

  it('people subscribe and confirm with only a keyboard', async () => {
    await using visitor = await come()
    const { page, complaints } = visitor
    const address = newAddress()
    const focused = () => page.evaluate<unknown[]>(FOCUSED)
    await page.goto(`${ROLLCALL}/subscribe?feed=letter`)
    const order = []
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    expect(order).toEqual(['email', 'name', 'A', 'BUTTON'].map((name) => [name, 'solid', true]))
    for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+Tab')
    await page.keyboard.type(address)
    read()
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    expect(await heading(page)).toBe('Check your mail')
    const [mail] = await mailsTo(address)
    await page.goto(mail!.links.confirm!)
    await page.keyboard.press('Tab')
    expect(await focused()).toEqual(['BUTTON', 'solid', true])
    await Promise.all([page.waitForURL(`${SHOP}/confirmed`), page.keyboard.press('Space')])
    expect(complaints).toEqual([])
  })

  it('a form redirects to its return URL, and a confirmation to the feed’s URL', async () => {
    await using visitor = await come()
    const { page, complaints } = visitor
    const address = newAddress()
    await page.goto(`${ROLLCALL}/subscribe?feed=letter&return_to=${encodeURIComponent(`${SHOP}/thanks?a=1&b=ü`)}`)
    await page.fill('#email', address)
    read()
    await page.click('button')
    await page.waitForURL(`${SHOP}/thanks?a=1&b=%C3%BC`)
    const [mail] = await mailsTo(address)
    for (const again of [1, 2]) {
      await page.goto(mail!.links.confirm!)
      if (again === 1) await page.click('button')
      expect(page.url()).toBe(again === 1 ? `${SHOP}/confirmed` : mail!.links.confirm)
      if (again === 1) expect(await page.evaluate('document.referrer')).toBe('')
    }
    expect(complaints).toEqual([])
  })

  it('a page redirects to no other site than its own form asks for', async () => {
    await using visitor = await come()
    const { page, complaints } = visitor
    const address = newAddress()
    await page.goto(`${ROLLCALL}/subscribe?feed=letter`)
    await page.evaluate(
      `document.forms[0].insertAdjacentHTML('beforeend', '<input name="return_to" value="${SHOP}/other">')`,
    )
    await page.fill('#email', address)
    read()
    const refusal = page.waitForEvent('console', (message) => message.text().includes('form-action'))
    await page.click('button')
    await refusal
    expect(page.url()).toBe(`${ROLLCALL}/subscribe?feed=letter`)
    expect(complaints).toEqual([expect.stringContaining('The request has been blocked')])
  })

  it('problems are marked, announced and focused', async () => {
    await using visitor = await come()
    const { page, complaints } = visitor
    await page.goto(`${ROLLCALL}/subscribe`)
    await page.fill('#email', newAddress())
    await page.fill('#name', 'x'.repeat(201))
    read()
    await page.click('button')
    expect(await page.title()).toBe('Please check: Subscribe to default')
    await page.waitForFunction("document.activeElement?.id === 'name'")
    const name = page.getByRole('textbox', { name: 'Name' })
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(`#${await name.getAttribute('aria-describedby')}`).innerText()).toContain(
      '200 characters',
    )
    expect(complaints).toEqual([])
  })

  it('the consent wording stands above the button, and describes it', async () => {
    await using visitor = await come()
    const { page } = visitor
    await page.goto(`${ROLLCALL}/subscribe?feed=letter`)
    const button = page.getByRole('button', { name: 'Subscribe' })
    expect(await page.locator(`#${await button.getAttribute('aria-describedby')}`).innerText()).toBe(WORDING)
    expect(await page.getByRole('link', { name: 'privacy' }).getAttribute('href')).toBe(`${SHOP}/privacy`)
    const [words, press] = [await page.locator('#wording').boundingBox(), await button.boundingBox()]
    expect(words!.y + words!.height).toBeLessThanOrEqual(press!.y)
  })

  it.each([
    [false, undefined],
    [true, `${SHOP}/other`],
  ])('the form for other sites works pasted into one, with a style: %s, and a return URL: %s', async (style, back) => {
    await using visitor = await come({ javaScriptEnabled: false })
    const { page, complaints } = visitor
    const feed = await server.ports.readers.feeds.find(parseFeedName('letter'))
    const snippet = embeddedForm(feed!, { publicUrl: ROLLCALL, challenge: false, returnTo: back, style })
    // A site that allows no script and no other form.
    const styles = style ? "style-src 'unsafe-inline'; " : ''
    const policy = `default-src 'none'; ${styles}img-src data:; form-action ${ROLLCALL} ${SHOP}`
    const path = `/with-style-${style}`
    site.set(path, `<meta http-equiv="Content-Security-Policy" content="${policy}"><h1>Shop</h1>${snippet}`)
    await page.goto(SHOP + path)
    expect(await page.getByText(WORDING).count()).toBe(1)
    expect(await page.getByLabel('Leave this field empty').isVisible()).toBe(false)
    const address = newAddress()
    await page.getByLabel('E-mail address').fill(address)
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Subscribe' }).click()])
    expect([page.url(), back === undefined ? await heading(page) : undefined]).toEqual(
      back === undefined ? [`${ROLLCALL}/subscribe`, 'Check your mail'] : [back, undefined],
    )
    expect(await mailsTo(address)).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
