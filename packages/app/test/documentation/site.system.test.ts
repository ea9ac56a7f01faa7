import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import axe, { type Result } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../browser.ts'
import { ROOT } from './blocks.ts'

const run = promisify(execFile)
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const SHOWN = [
  'index',
  'contents',
  'start',
  'guides/embed-a-form',
  'guides/own-rule',
  'reference/configuration',
  'reference/http',
  'reference/typescript/mail',
  'architecture',
]

let folder: string
let server: Server
let browser: Browser
let url: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'rollcall-site-'))
  await run(process.execPath, [path.join(ROOT, 'scripts/site.ts'), '--output', folder], { cwd: ROOT })
  server = createServer(async (request, response) => {
    const name = new URL(request.url ?? '/', 'http://site').pathname.replace(/\/$/, '/index.html')
    const file = path.join(folder, decodeURIComponent(name))
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream'
    if (existsSync(file)) response.setHeader('Content-Type', type).end(await readFile(file))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A page that knows what it asked for, and what went wrong on it. */
const open = async (name: string, options: Parameters<Browser['newContext']>[0] = {}) => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const asked: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('response', (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  await page.goto(`${url}/${name}.html`, { waitUntil: 'networkidle' })
  return { page, asked, wrong, close: () => context.close() }
}

const violations = async (page: Page): Promise<Result[]> => {
  await page.evaluate(axe.source)
  const { violations } = await page
    .evaluate('axe.run(document.querySelector(".vp-doc"))')
    .then((result) => result as { violations: Result[] })
  return violations
}

it('has a page for every page of the documentation', async () => {
  const pages = (await readdir(path.join(ROOT, 'docs'), { recursive: true })).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  )
  expect(pages.length).toBeGreaterThan(60)
  expect(pages.filter((name) => !existsSync(path.join(folder, name.replace(/\.md$/, '.html'))))).toEqual([])
})

it('begins with the front page of the repository, whose links lead to pages of the site', async () => {
  const { page, wrong, close } = await open('index')
  const text = await page.locator('.vp-doc').innerText()
  for (const part of ['npm ci && npm start', 'What a user is', 'Keycloak', '1.6 MB']) expect(text).toContain(part)
  expect(await page.locator('.vp-doc img').count()).toBe(3)
  expect(wrong).toEqual([])
  await page.getByRole('link', { name: 'all guides and the reference' }).click()
  await page.getByRole('link', { name: 'The front page' }).click()
  await page.waitForURL(/index\.html$|\/$/)
  await close()
})

it('has what each package exports, with its comments', async () => {
  const core = await readFile(path.join(folder, 'reference/typescript/core.html'), 'utf8')
  expect(core).toContain('id="deleteuserusecase"')
  expect(core).toContain('There never was such a user, or the caller may not know.')
  const packages = await readdir(path.join(folder, 'reference/typescript'))
  expect(packages.length).toBeGreaterThan(10)
})

// Colours change no width, and no width changes colours.
it.each(
  SHOWN.flatMap((name) => [
    { name, width: 320, colorScheme: 'dark' as const },
    { name, width: 1280, colorScheme: 'light' as const },
  ]),
)('shows $name at $width pixels, $colorScheme, and asks no other server', async ({ name, width, colorScheme }) => {
  const { page, asked, wrong, close } = await open(name, { viewport: { width, height: 800 }, colorScheme })
  expect(wrong).toEqual([])
  expect(asked.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  expect((await violations(page)).map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  await close()
})

it.each([
  ['delete user', /^\/(?:start|guides\/delete-many-users)/],
  ['unsubscribe link in my newsletter', /^\/guides\/newsletters/],
  ['keycloak roles', /^\/guides\/identity-providers/],
  ['backup', /^\/guides\/back-up-and-move/],
  ['change sender', /^\/guides\/send-mail/],
  ['docker', /^\/guides\/containers/],
  ['postgres pool', /^\/guides\/pgbouncer-and-fail-over/],
  ['webhook retry', /^\/guides\/webhooks/],
  ['gdpr export', /^\/guides\/gdpr/],
  ['custom template', /^\/guides\/send-mail/],
  ['default_pool_size', /^\/guides\/pgbouncer-and-fail-over/],
])('finds first, by "%s", the page about it', async (words, address) => {
  const { page, asked, close } = await open('index')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('#localsearch-input').fill(words)
  const found = page.locator('#localsearch-list a').first()
  await found.waitFor()
  await expect.poll(() => found.getAttribute('href'), { timeout: 120_000 }).toMatch(address)
  expect(asked.filter((address) => !address.startsWith(url))).toEqual([])
  await close()
})

it('leads from its sidebar to every guide and every page of the reference, and from each to where it is edited', async () => {
  const listed = (await readdir(path.join(ROOT, 'docs'), { recursive: true }))
    .filter((name) => /^(?:guides|reference)\/[\w-]+\.md$/.test(name))
    .map((name) => `/${name.replace(/\.md$/, '.html')}`)
  const { page, close } = await open('guides/gdpr')
  const links = await page.locator('.VPSidebar a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(listed.filter((name) => !links.includes(name))).toEqual([])
  const edit = await page.getByRole('link', { name: 'Edit this page' }).getAttribute('href')
  expect(edit).toBe('https://github.com/rollcall/rollcall/edit/main/docs/guides/gdpr.md')
  await close()
})

it.each(['backup', 'parked'])('finds guides and reference by "%s", not declarations', async (word) => {
  const { page, close } = await open('index')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('#localsearch-input').fill(word)
  const found = page.locator('#localsearch-list a')
  await found.first().waitFor()
  const links = await found.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  expect(links.length).toBeGreaterThan(1)
  expect(links.filter((link) => link.includes('/typescript/'))).toEqual([])
  await close()
})

it('has no link to a page of its own that is not there', async () => {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'))
  const missing: string[] = []
  for (const name of names) {
    const text = await readFile(path.join(folder, name), 'utf8')
    for (const [, link = ''] of text.matchAll(/ href="([^"#?]+)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      const target = link.startsWith('/') ? path.join(folder, link) : path.resolve(folder, path.dirname(name), link)
      if (!existsSync(decodeURIComponent(target))) missing.push(`${name}: ${link}`)
    }
  }
  expect(missing).toEqual([])
})

it.each([320, 1280])('can be read without scripts, %i pixels wide', async (width) => {
  const { page, close } = await open('guides/webhooks', { javaScriptEnabled: false, viewport: { width, height: 800 } })
  expect(await page.locator('h1').innerText()).toContain('Receive events at a webhook')
  await page.getByRole('link', { name: 'Troubleshoot' }).first().click()
  expect(await page.locator('h1').innerText()).toContain('Troubleshoot')
  await close()
})
