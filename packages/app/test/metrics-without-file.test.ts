import { truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { Home } from './running-service.ts'

it('metrics are there while the file of the database cannot be read, but for what only it knows', async () => {
  await using own = new AsyncDisposableStack()
  const port = await freePort()
  const home = own.use(await Home.make({ METRICS_PORT: String(port) }))
  await home.serve()
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    return { status: answer.status, text: await answer.text() }
  }
  expect((await scrape()).text).toMatch(/^rollcall_storage_up 1$/m)
  const file = path.join(home.folder, 'data/rollcall.db')
  truncateSync(file)
  truncateSync(`${file}-wal`)
  // Never shorter: the service has it mapped, and the system ends who reads behind the end of a file.
  await using shared = await open(`${file}-shm`, 'r+')
  await shared.write(Buffer.alloc(32_768, 1), 0, 32_768, 0)
  const { status, text } = await scrape()
  expect(status).toBe(200)
  expect(text).toMatch(/^rollcall_storage_up 0$/m)
  expect(text).not.toMatch(/^rollcall_(?:outbox_|webhook_events\{|webhook_oldest|signups_total)/m)
  expect((await fetch(`${home.url}/readyz`)).status).toBe(503)
})
