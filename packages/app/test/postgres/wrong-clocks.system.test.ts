import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventually } from '../eventually.ts'
import { MailSink } from '../mail-sink.ts'
import { Home } from '../running-service.ts'
import { Database } from './database.ts'

const SECRET = 'a secret that is long enough for a test of wrong clocks'
const MOVING_CLOCK = path.join(import.meta.dirname, '../moving-clock.ts')
/** How wrong the clock of an instance is, in milliseconds. */
const OFF = 120_000
/** More than two measurements of the same clock differ by, also on a busy machine. */
const APART = 300

const homeWith = async (settings: Readonly<Record<string, string>>, offset: number): Promise<Home> => {
  const home = await Home.make(settings, MOVING_CLOCK)
  await writeFile(path.join(home.folder, 'clock'), JSON.stringify({ offset }))
  return home
}

const asAdmin = (token: string, method: string, body?: object) => ({
  method,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  ...(body && { body: JSON.stringify(body) }),
})

it('neither delays a mail nor gives a wrong order where the clocks of instances are two minutes off', async () => {
  await using database = await Database.make()
  await using sink = await MailSink.open()
  const settings = { DATABASE_URL: database.url, SMTP_URL: sink.url, SECRET, WEBHOOK_ALLOW: '127.0.0.1' }
  await using ahead = await homeWith(settings, OFF)
  await ahead.serve()
  await using behind = await homeWith(settings, -OFF)
  await behind.takeKeysOf(ahead)
  await behind.serve()

  const begun = Date.now()
  for (const home of [ahead, behind]) expect((await home.signUp(`${home.port}@example.com`)).status).toBe(200)
  await eventually(() => sink.mails.length === 2, 'that both mails have come')
  expect(Date.now() - begun).toBeLessThan(OFF / 2)

  // A token that one has issued is good at the other, which would take it for one from the future by its own clock.
  const token = await ahead.token('root', 'admin')
  for (const [n, home] of [behind, ahead, behind, ahead].entries()) {
    const user = { email: `user-${n}@example.com`, name: '', roles: [] }
    expect((await fetch(`${home.url}/users/user-${n}`, asAdmin(token, 'PUT', user))).status).toBe(201)
    await sleep(APART)
  }
  const answer = await fetch(`${behind.url}/users/user-1`, asAdmin(token, 'GET'))
  const dateOf = (name: string) => Date.parse(answer.headers.get(name) ?? '')
  expect(dateOf('Last-Modified')).toBeLessThanOrEqual(dateOf('Date'))

  for (const place of ['events', 'audit']) {
    const list = (await (await fetch(`${behind.url}/${place}`, asAdmin(token, 'GET'))).json()) as {
      items: { at?: string; time?: string }[]
    }
    const times = list.items.map(({ at, time }) => Date.parse(at ?? time ?? ''))
    expect(times.length).toBeGreaterThanOrEqual(4)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    for (const time of times) expect(Math.abs(time - begun)).toBeLessThan(OFF / 2)
  }
  const { stdout } = await behind.run('doctor')
  expect(stdout).toMatch(/It is 2 min behind the database's\./)
})
