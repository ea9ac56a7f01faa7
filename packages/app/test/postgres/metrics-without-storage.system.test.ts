import { expect, inject, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../free-port.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'
import { Passage } from './passage.ts'

/** Milliseconds in which Prometheus wants an answer, unless it is told otherwise. */
const SCRAPE_TIMEOUT = 10_000

it('metrics are there while PostgreSQL is away or says nothing, but for what only it knows', async () => {
  await using own = new AsyncDisposableStack()
  const database = own.use(await Database.make())
  const passage = own.use(new Passage(new URL(inject('postgres').url)))
  await passage.open()
  const port = await freePort()
  const home = own.use(await Home.make({ DATABASE_URL: passage.through(database.url), METRICS_PORT: String(port) }))
  await home.serveInProcess()
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT) })
    return { status: answer.status, text: await answer.text() }
  }
  const isUp = async () => /^rollcall_storage_up 1$/m.test((await scrape()).text)
  const OF_STORAGE = /^rollcall_(?:outbox_|webhook_events\{|webhook_oldest|signups_total)/m
  await home.signUp('ada@example.com')
  expect((await scrape()).text).toMatch(OF_STORAGE)
  expect(await isUp()).toBe(true)
  for (const series of [/^rollcall_database_connections\{state="idle"\} [1-9]/m, /^rollcall_clock_skew_seconds -?\d/m])
    expect((await scrape()).text).toMatch(series)

  const silent = async () => {
    passage.isSilent = true
  }
  const back = async (begins: unknown) => {
    if (begins !== silent) await passage.open()
    passage.isSilent = false
  }
  for (const begins of [() => passage.cut(), silent]) {
    await begins()
    const { status, text } = await scrape()
    expect(status).toBe(200)
    expect(text).toMatch(/^rollcall_storage_up 0$/m)
    expect(text).not.toMatch(OF_STORAGE)
    expect(text).toMatch(/^rollcall_http_requests_total\{route="\/subscribe",method="POST",status="200"\} 1$/m)
    expect(text).toMatch(/^process_start_time_seconds \d/m)
    await back(begins)
    await eventually(isUp, 'that storage is seen to be back')
    expect((await scrape()).text).toMatch(OF_STORAGE)
  }
})
