import { chmod, mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { openBrowser } from '../../packages/app/test/browser.ts'
import { ConsoleClient } from '../../packages/app/test/console-client.ts'
import { type Screens, screensOf } from '../../packages/app/test/console-screens.ts'
import { freePort } from '../../packages/app/test/free-port.ts'
import { fillPostgres, fillSqlite } from '../../packages/app/test/many-rows.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import type { Cores } from '../command.ts'
import type { Options } from '../options.ts'
import { newDatabase } from '../postgres/measure-postgres.ts'
import { commandWith, databaseIn, rollcall } from '../rollcall/rollcall.ts'
import { Server } from '../server.ts'
import { percentile } from '../statistics.ts'

const ASKED = 200
const CAST = { address: 'ada.lovelace@example.com', user: 'root' }

export interface ScreenFigures {
  readonly name: string
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  /** Bytes of the page, compressed. */
  readonly gzipped: number
  /** Milliseconds until there is something to see on a throttled phone: at first, and once its style is known. */
  readonly painted: number
  readonly paintedAgain: number
}

export interface ConsoleFigures {
  readonly store: string
  readonly rows: number
  readonly screens: readonly ScreenFigures[]
}

interface Order {
  readonly options: Options
  readonly scratch: string
  readonly cores: Cores
}

/** @throws {Error} a screen was answered with anything but a page */
export const measureConsole = async (order: Order): Promise<ConsoleFigures[]> => {
  const { options, scratch } = order
  const { rows } = options
  // The account that the database server runs under must be able to enter.
  await chmod(scratch, 0o711)
  const folder = path.join(scratch, 'console')
  const [onSqlite, onPostgres] = [path.join(folder, 'sqlite'), path.join(folder, 'postgres')]
  for (const each of [onSqlite, onPostgres]) await mkdir(path.join(each, 'data'), { recursive: true, mode: 0o700 })
  await commandWith(onSqlite, {}, 'migrate')
  // Before all others: where the first user on record is of the first release, a start puts all of them on record.
  await putAdmin(onSqlite, {})
  fillSqlite(databaseIn(onSqlite), rows)
  const sqlite = { store: 'SQLite', rows, screens: await measureScreens(order, onSqlite, {}) }
  await rm(onSqlite, { recursive: true })
  const server = await startPostgres({}, scratch)
  try {
    const url = await newDatabase(server, { scratch }, 'console_screens')
    await putAdmin(onPostgres, { DATABASE_URL: url })
    await fillPostgres(url, rows)
    const screens = await measureScreens(order, onPostgres, { DATABASE_URL: url })
    return [sqlite, { store: 'PostgreSQL', rows, screens }]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

const measureScreens = async (
  { cores, options }: Order,
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ScreenFigures[]> => {
  const port = String(await freePort())
  const given = { ...settings, CONSOLE_PORT: port }
  await using server = await Server.start({ ...(await rollcall(folder, given)), core: cores.server })
  for (const feed of ['default', 'feed-1', 'feed-2']) await signUp(server.url, feed)
  const link = (await commandWith(folder, given, 'console', 'login')).trim()
  const client = await ConsoleClient.logIn(`http://127.0.0.1:${port}`, link)
  try {
    const screens = await screensOf(client, CAST)
    const asked = await askAll(client, screens)
    // These go on by themselves.
    const { 'a plan in progress': _, 'a verification': __, ...still } = screens
    const painted = await paintAll(client, still, options.reps)
    return asked.map((found) => ({ ...found, ...(painted.get(found.name) ?? UNPAINTED) }))
  } finally {
    client.close()
    await server.stop('SIGTERM')
  }
}

const putAdmin = (folder: string, settings: Readonly<Record<string, string>>): Promise<string> =>
  commandWith(folder, settings, 'user', 'put', CAST.user, '--email', 'root@example.com', '--role', 'admin')

const UNPAINTED = { painted: Number.NaN, paintedAgain: Number.NaN }

const signUp = async (url: string, feed: string): Promise<void> => {
  const body = new URLSearchParams({ email: CAST.address, name: 'Ada Lovelace', feed })
  const { status } = await fetch(`${url}/subscribe`, { method: 'POST', body })
  if (status !== 200) throw new Error(`a sign-up was answered ${status}`)
}

type Asked = Pick<ScreenFigures, 'name' | 'p50' | 'p95' | 'gzipped'>

/** In turn, so that a disturbance of the machine is not all one screen's. */
const askAll = async (client: ConsoleClient, screens: Screens): Promise<Asked[]> => {
  const found = Object.entries(screens).map(([name, path]) => ({ name, path, taken: [] as number[], gzipped: 0 }))
  for (let times = 0; times < ASKED; times++)
    for (const screen of found) {
      const { milliseconds, text } = await client.get(screen.path)
      screen.taken.push(milliseconds)
      if (times === 0) screen.gzipped = gzipSync(text).length
    }
  return found.map(({ name, taken, gzipped }) => ({
    ...{ name, gzipped },
    p50: percentile(taken, 50),
    p95: percentile(taken, 95),
  }))
}

/** As Chromium's own tools throttle a phone on slow 4G. */
const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 }

const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
  }).observe({ type: 'paint', buffered: true })
})`

type Painted = Pick<ScreenFigures, 'painted' | 'paintedAgain'>

const paintAll = async (client: ConsoleClient, screens: Screens, turns: number): Promise<Map<string, Painted>> => {
  const browser = await openBrowser()
  try {
    const found = new Map<string, Painted>()
    for (const [name, path] of Object.entries(screens)) {
      const times: [first: number, again: number][] = []
      for (let turn = 0; turn < turns; turn++) {
        const context = await browser.newContext(PHONE)
        await context.addCookies([client.cookie])
        const page = await context.newPage()
        const session = await context.newCDPSession(page)
        await session.send('Network.enable')
        await session.send('Network.emulateNetworkConditions', SLOW_4G)
        await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
        const paint = async () => {
          await page.goto(`${client.origin}${path}`)
          return await page.evaluate<number>(FIRST_PAINT)
        }
        times.push([await paint(), await paint()])
        await context.close()
      }
      const middle = (values: readonly number[]) => percentile(values, 50)
      const [firsts, seconds] = [times.map(([first]) => first), times.map(([, again]) => again)]
      found.set(name, { painted: middle(firsts), paintedAgain: middle(seconds) })
    }
    return found
  } finally {
    await browser.close()
  }
}
