import { existsSync, statSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openBrowser } from '../../packages/app/test/browser.ts'
import { mailIsWritten } from '../../packages/app/test/documentation/following.ts'
import { Reader } from '../../packages/app/test/documentation/reader.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { PseudoTerminal } from '../../packages/app/test/pseudo-terminal.ts'
import { smallPng } from '../../packages/http-console/test/support/small-png.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const FOLDER = 'docs/guides/images/front'
const NAMES = ['sign-up', 'console', 'deletion']
const MOST_BYTES = 40_000
const SIZE = { width: 680, height: 540 }

/** What a terminal shows, as a page. */
const terminalPage = (lines: readonly string[]): string => {
  const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const style = 'body{margin:0;background:#16181d;color:#e8e8e8}pre{margin:24px;font:13px/1.6 monospace}'
  return `<!doctype html><style>${style}</style><pre>${text}</pre>`
}

/** A deletion as it is typed, and its receipt. */
const deletionIn = async (reader: Reader): Promise<string[]> => {
  await using terminal = new PseudoTerminal(reader.home, ['user', 'delete', 'ada'], { columns: 80 })
  await terminal.shows('permanently?')
  terminal.type('y\r')
  expect(await terminal.ended).toBe(0)
  const receipt = await reader.home.run('user', 'erasure', 'ada')
  // The question is written again over itself once it is answered.
  const shown = terminal.lines.map((line) => line.slice(Math.max(0, line.lastIndexOf('✔'))))
  const deleted = shown.filter((line) => line.trim() !== '')
  return ['$ rollcall user delete ada', ...deleted, '', '$ rollcall user erasure ada', receipt.stdout]
}

const take = async (page: Page, name: string): Promise<void> => {
  const picture = await page.screenshot({ clip: { x: 0, y: 0, ...SIZE }, animations: 'disabled' })
  await writeFile(path.join(ROOT, FOLDER, `${name}.png`), smallPng(picture))
}

// `npm run screenshots` makes them anew.
it.runIf(process.env.MODE === 'screenshots')('takes the pictures of the front page', async () => {
  await mkdir(path.join(ROOT, FOLDER), { recursive: true })
  const port = await freePort()
  await using reader = await Reader.open({ settings: { CONSOLE_PORT: String(port) } })
  const { home } = reader
  await reader.serve()
  await home.run('feed', 'put', 'default', '--title', 'The weekly letter', '--description', 'One mail each Friday.')
  const body = new URLSearchParams({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await fetch(`${home.url}/subscribe`, { method: 'POST', body })
  await mailIsWritten(reader)
  const link = (await home.run('mail', 'show', '--last', '--link', 'confirm')).stdout.trim()
  await fetch(link, { method: 'POST' })
  await home.run('user', 'put', 'ada', '--email', 'ada@example.com', '--name', 'Ada Lovelace', '--role', 'auditor')

  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' })
    await page.goto(`${home.url}/subscribe`)
    await take(page, 'sign-up')
    await page.goto((await home.run('console', 'login')).stdout.trim())
    await page.click('main button')
    const [{ id }] = JSON.parse((await home.run('subscription', 'list', '--json')).stdout).items
    await page.goto(`http://127.0.0.1:${port}/subscriptions/${id}`)
    await take(page, 'console')
    // A page of the console would not allow the style.
    await page.goto('about:blank')
    await page.setContent(terminalPage(await deletionIn(reader)))
    await take(page, 'deletion')
  } finally {
    await browser.close()
  }
})

it.each(NAMES)('shows a picture on the front page that is there, and is not large: %s', async (name) => {
  const file = `${FOLDER}/${name}.png`
  expect(await readFile(path.join(ROOT, 'README.md'), 'utf8')).toContain(`](${file})`)
  expect(existsSync(path.join(ROOT, file))).toBe(true)
  expect(statSync(path.join(ROOT, file)).size).toBeLessThan(MOST_BYTES)
})
