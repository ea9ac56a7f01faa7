import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteStorage } from '@rollcall/storage-sql/sqlite'
import { expect, it } from 'vitest'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'

const KILLS = 30
const CLIENTS = 16

interface Acknowledged {
  readonly email: string
  readonly id: number
}

/** The ledger is the client's: what it read in an answer, never what the service says of itself. */
class Ledger {
  readonly sent = new Set<string>()
  readonly acknowledged: Acknowledged[] = []
  #next = 0

  /** Signs up one new address after the other until the service is gone. */
  async signUpUntilItDies(url: string): Promise<void> {
    for (;;) {
      const email = `person-${this.#next++}@example.com`
      this.sent.add(email)
      const answer = await fetch(`${url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email }) }).catch(
        () => undefined,
      )
      const body = (await answer?.json().catch(() => undefined)) as { subscription: { id: number } } | undefined
      if (answer === undefined || body === undefined) return
      expect(answer.status).toBe(200)
      this.acknowledged.push({ email, id: body.subscription.id })
    }
  }
}

it(`loses no acknowledged sign-up and no owed mail over ${KILLS} times kill -9 under load`, {
  timeout: 180_000,
}, async () => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url, LOG_LEVEL: 'warn' })
  const ledger = new Ledger()
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await home.serve()
    sink.delay = (kill % 4) * 5
    const clients = Array.from({ length: CLIENTS }, () => ledger.signUpUntilItDies(home.url))
    await sleep(30 + Math.random() * 250)
    await server.kill('SIGKILL')
    await Promise.all(clients)
  }
  expect(ledger.acknowledged.length).toBeGreaterThan(KILLS)

  sink.delay = 0
  const last = await home.serve()
  const owed = new Set(ledger.acknowledged.map(({ email }) => email))
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const received = sink.byAddress()
    if ([...owed].every((email) => received.has(email))) break
  }
  expect(await last.kill('SIGTERM')).toMatchObject({ code: 0, signal: null })

  const received = sink.byAddress()
  expect([...owed].filter((email) => !received.has(email))).toEqual([])
  expect([...received.keys()].filter((email) => !ledger.sent.has(email))).toEqual([])
  expect([...received].filter(([, messageIds]) => messageIds.size > 1)).toEqual([])

  const storage = await openSqliteStorage({ file: path.join(home.folder, 'data/rollcall.db') })
  try {
    for (const { email, id } of ledger.acknowledged) {
      expect(await storage.readers.subscriptions.find(id)).toMatchObject({ id, email, status: 'pending' })
    }
  } finally {
    await storage.close()
  }
})
