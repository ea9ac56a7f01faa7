import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../packages/app/test/free-port.ts'
import { openBrowser } from '../../packages/http-koa/test/support/open-browser.ts'
import { visit } from '../../packages/http-koa/test/support/visit.ts'
import { commandsOn, type Running, startUntil } from './running.ts'
import { Stranger, Tarballs } from './stranger.ts'

const FILES = ['README.md', 'package.json', 'site/index.html']
/** A browser takes this for an address; its local part is longer than any may be. */
const TOO_LONG = `${'a'.repeat(65)}@example.com`
const WITHOUT_A_SCRIPT = { javaScriptEnabled: false }

let tarballs: Tarballs
let project: Stranger
let browser: Browser
let service: Running
let server: Running
let site: string
let rollcall: string

beforeAll(async () => {
  tarballs = await Tarballs.pack()
  project = await Stranger.beside(tarballs, path.join(import.meta.dirname, '../static-site'))
  const [port, sitePort] = [await freePort(), await freePort()]
  site = `http://127.0.0.1:${sitePort}`
  rollcall = `http://127.0.0.1:${port}`
  for (const file of FILES) {
    const text = await project.read(file)
    await project.write(file, text.replace(/\b4000\b/g, String(sitePort)).replace(/\b8080\b/g, String(port)))
  }
  const [first, second] = commandsOn(await project.read('README.md'))
  const [install, serve = ''] = first?.command.split('\n') ?? []
  const [feed = '', serveSite = ''] = second?.command.split('\n') ?? []
  await project.run('bash', '-ec', `${install} --no-audit --no-fund --loglevel=error`)
  service = await startUntil(project, `${rollcall}/readyz`, serve, { ROLLCALL_PORT: String(port) })
  await project.run('bash', '-ec', feed)
  server = await startUntil(project, site, serveSite)
  browser = await openBrowser({ [`127.0.0.1:${port}`]: port, [`127.0.0.1:${sitePort}`]: sitePort })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await service?.stop()
  await project?.[Symbol.asyncDispose]()
  await tarballs.remove()
})

const mailed = async (): Promise<string> => await project.run('npx', 'rollcall', 'mail', 'list', '--json')

describe.each([
  ['with a script', undefined, /at most 64/],
  ['without a script', WITHOUT_A_SCRIPT, /such as name@example\.com/],
])('the form on a static site, %s', (title, options, problem) => {
  const reader = `reader-${title.replaceAll(' ', '-')}@example.com`

  it('signs up, and comes back to the site', async () => {
    await using visitor = await visit(browser, [site, rollcall], options)
    const { page, complaints } = visitor
    await page.goto(site)
    await page.getByLabel('E-mail address').fill(reader)
    await page.getByLabel('Name (optional)').fill('Ada')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL(`${site}/thanks.html`)
    expect(await page.getByRole('heading').textContent()).toBe('One more step')
    await expect.poll(mailed).toContain(reader)
    expect(complaints).toEqual([])
  })

  it('shows what is wrong, and takes it once it is corrected', async () => {
    await using visitor = await visit(browser, [site, rollcall], options)
    const { page } = visitor
    await page.goto(site)
    await page.getByLabel('E-mail address').fill(TOO_LONG)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText(problem).first().waitFor()
    expect(new URL(page.url()).origin).toBe(options === undefined ? site : rollcall)
    const field = page.getByLabel('E-mail address')
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([TOO_LONG, 'true'])
    await field.clear()
    // As slowly as a person: Rollcall's own page does not take a form that comes back within a second.
    await field.pressSequentially(`corrected-${reader}`, { delay: 40 })
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL(`${site}/thanks.html`)
    await expect.poll(mailed).toContain(`corrected-${reader}`)
  })
})

it('says so where Rollcall cannot be reached, and keeps what was typed', async () => {
  await using visitor = await visit(browser, [site, rollcall])
  const { page } = visitor
  await page.route(`${rollcall}/**`, (route) => route.abort())
  await page.goto(site)
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByText('could not be sent').waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.com')
  expect(await page.getByRole('button', { name: 'Subscribe' }).isEnabled()).toBe(true)
})

it('shows the form that Rollcall prints', async () => {
  const form = await project.run(
    'npx',
    'rollcall',
    'feed',
    'embed',
    'default',
    '--no-style',
    '--return-to',
    `${site}/thanks.html`,
  )
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  // The command has no setting of the port that the service of this test listens on.
  const printed = lines(form.trim().replaceAll('127.0.0.1:8080', new URL(rollcall).host))
  expect(lines(await project.read('site/index.html')).join('\n')).toContain(printed.join('\n'))
})
