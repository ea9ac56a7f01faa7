import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { ConsoleClient } from './console-client.ts'
import { type Screens, screensOf } from './console-screens.ts'
import { freePort } from './free-port.ts'
import { fillSqlite } from './many-rows.ts'
import { Home } from './running-service.ts'

const ROWS = 1_000_000
const CAST = { address: 'ada.lovelace@example.com', user: 'root' }
const IO = '/proc/self/io'
/** Less than a hundredth of the tables; a list that is counted or gone through reads all of one. */
const MOST_READ = 2_000_000
const MOST_GZIPPED = 30_000

let home: Home
let client: ConsoleClient
let screens: Screens
beforeAll(async () => {
  const port = String(await freePort())
  home = await Home.make({ CONSOLE_PORT: port })
  await home.run('migrate')
  await home.run('user', 'put', CAST.user, '--email', 'root@example.com', '--role', 'admin')
  fillSqlite(path.join(home.folder, 'data/rollcall.db'), ROWS)
  await home.serveInProcess()
  for (const feed of ['default', 'feed-1']) expect((await home.signUp(CAST.address, { feed })).status).toBe(200)
  const link = (await home.run('console', 'login')).stdout.trim()
  client = await ConsoleClient.logIn(`http://127.0.0.1:${port}`, link)
  screens = await screensOf(client, CAST)
})
afterAll(async () => {
  client?.close()
  await home?.[Symbol.asyncDispose]()
})

/** Bytes that this process has read so far, wherever they came from. */
const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync(IO, 'utf8'))?.[1])

it.runIf(existsSync(IO))('reads little of a million rows for a screen, and answers with few bytes', async () => {
  const found: Record<string, object> = {}
  for (const [name, path] of Object.entries(screens)) {
    const before = bytesRead()
    const { text } = await client.get(path)
    const read = bytesRead() - before
    const gzipped = gzipSync(text).length
    if (read > MOST_READ || gzipped > MOST_GZIPPED) found[name] = { read, gzipped }
  }
  expect(found).toEqual({})
})

it('shows every screen in a browser, and goes from page to page', async () => {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ javaScriptEnabled: false })
    await context.addCookies([client.cookie])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    for (const path of Object.values(screens)) {
      await page.goto(`${client.origin}${path}`)
      expect([path, await page.locator('h1').count()]).toEqual([path, 1])
    }
    await page.goto(`${client.origin}/subscriptions?feed=feed-2&status=pending`)
    const first = await page.locator('tbody a').first().getAttribute('href')
    await page.click('text=Next page')
    await page.waitForLoadState()
    expect(await page.locator('tbody tr').count()).toBe(40)
    expect(await page.locator('tbody a').first().getAttribute('href')).not.toBe(first)
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})
