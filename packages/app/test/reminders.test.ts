import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'

const MINUTE = 60_000
const CONFIRM = /^http\S+\/confirm\/\S+$/m

/** As a person reads it. */
const textOf = ({ text }: MailSink['mails'][number]): string => text.replace(/=\r?\n/g, '').replaceAll('=3D', '=')

it('reaches who was asked to confirm over SMTP, once, and its link confirms', async () => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url })
  const server = await home.serveInProcess()
  expect((await home.run('feed', 'set', 'default', '--remind-after', '1h')).code).toBe(0)
  const shown = await home.run('feed', 'show', 'default')
  expect(shown.stdout).toMatch(/Reminder +1h/)
  await home.signUp('ada@example.com')
  await eventually(() => sink.mails.length === 1)
  await server.stop()

  const database = new DatabaseSync(path.join(home.folder, 'data/rollcall.db'))
  expect(database.prepare('SELECT count(*) AS n FROM reminder').get()).toEqual({ n: 1 })
  // An hour later.
  database.exec(`UPDATE reminder SET remind_at = remind_at - 60 * ${MINUTE}; DELETE FROM mail_cap`)
  database.close()

  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await home.serveInProcess()
  await vi.advanceTimersByTimeAsync(MINUTE)
  await eventually(() => sink.mails.length === 2)
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(sink.mails).toHaveLength(2)
  const [first, second] = sink.mails.map(textOf)
  expect(second).toMatch(/^Subject: A reminder: please confirm default\r?$/m)
  expect(second).toContain('We asked you before')
  expect(second).toMatch(/^List-Unsubscribe: </m)
  expect(sink.mails[1]?.messageId).not.toBe(sink.mails[0]?.messageId)
  const link = CONFIRM.exec(second ?? '')?.[0].trim() ?? ''
  expect(CONFIRM.exec(first ?? '')?.[0].trim()).toBe(link)
  const { pathname } = new URL(link)
  expect((await fetch(`${home.url}${pathname}`, { method: 'POST' })).status).toBe(200)
})
