import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { Home } from './running-service.ts'

const SECRET = 'a secret that is long enough for the test of a challenge'

describe('a service that asks for a proof of work', () => {
  let home: Home
  let site: Server
  let siteUrl: string
  let markup = ''
  let browser: Browser

  beforeAll(async () => {
    site = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(`<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">${markup}`)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    home = await Home.make({ CHALLENGE: 'altcha', SECRET, CORS_ORIGINS: siteUrl })
    await home.serveInProcess()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    site.close()
    await home[Symbol.asyncDispose]()
  })

  const visit = async (url: string): Promise<{ page: Page; complaints: string[] }> => {
    const page = await (await browser.newContext({ locale: 'en' })).newPage()
    const complaints: string[] = []
    page.on('console', (message) => void complaints.push(message.text()))
    page.on('pageerror', (error) => void complaints.push(error.message))
    await page.goto(url)
    return { page, complaints }
  }
  /** As long as people take. */
  const read = () => sleep(1_100)

  it.each(['/subscribe', '/preferences'])(
    'solves it at %s while somebody types, says so, and sends the form',
    async (path) => {
      const { page, complaints } = await visit(home.url + path)
      const status = page.getByRole('status')
      expect(await status.innerText()).toBe('')
      await page.getByLabel('E-mail address').fill('ada@example.com')
      await status.filter({ hasText: 'Checked.' }).waitFor()
      await read()
      await page.getByRole('button').click()
      await page
        .getByRole('heading', { name: 'Check your mail' })
        .or(page.getByText('within ten minutes'))
        .first()
        .waitFor()
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('holds a form back that is sent sooner, says why, and sends it once when it is solved', async () => {
    const { page } = await visit(`${home.url}/subscribe`)
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
    await read()
    await page.evaluate(`document.querySelector('#email').value = 'bob@example.com'`)
    await page.evaluate(NOTE_WHAT_IS_TOLD)
    await page.evaluate(`{ const form = document.querySelector('form'); form.requestSubmit(); form.requestSubmit() }`)
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    expect(await page.evaluate(`sessionStorage.getItem('shown')`)).toContain('Checking')
    expect(sent).toEqual([`${home.url}/subscribe`])
    await page.context().close()
  })

  it('solves another one for a form that comes back with something to correct, and after going back', async () => {
    const { page } = await visit(`${home.url}/subscribe`)
    const send = async (address: string) => {
      await page.evaluate(`document.querySelector('#email').type = 'text'`)
      await page.locator('#email').fill(address)
      await read()
      await page.getByRole('button').click()
    }
    await send('no address')
    await page.locator('#email-problem').waitFor()
    await send('cy@example.com')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(`${home.url}/subscribe`)
    await send('di@example.com')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goBack()
    await send('ed@example.com')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.context().close()
  })

  it('says so when the check cannot be made, and tries again when the form is sent again', async () => {
    const { page } = await visit(`${home.url}/subscribe`)
    await page.route('**/challenge', (route) => route.abort())
    await page.locator('#email').fill('eve@example.com')
    await page.getByRole('status').filter({ hasText: 'The check failed' }).waitFor()
    await page.unroute('**/challenge')
    await read()
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.context().close()
  })

  it('is solved by the form that others put on their own sites', async () => {
    const page = await (await browser.newContext({ locale: 'en' })).newPage()
    markup = (await home.run('feed', 'embed', 'default')).stdout
    await page.goto(siteUrl)
    await page.getByLabel('E-mail address').fill('fay@example.com')
    await page.getByRole('status').filter({ hasText: 'Checked.' }).waitFor()
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.context().close()
  })
})

/** For the next page to read: it may all be over before anybody could look. Text beside a progress bar that shows. */
const NOTE_WHAT_IS_TOLD = `new MutationObserver(() => {
  const shows = document.querySelector('progress')?.getClientRects().length > 0
  const shown = sessionStorage.getItem('shown') ?? ''
  if (shows) sessionStorage.setItem('shown', shown + document.querySelector('[role=status]').textContent)
}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })`
