import { expect } from 'vitest'
import { administered } from './administered.ts'
import { eventually } from './eventually.ts'
import { MailSink } from './mail-sink.ts'
import { Home } from './running-service.ts'

const OLD = 'ada@example.com'
const NEW = 'countess@example.org'

/**
 * The journey of a reader with two feeds whose new address has one of them already, over HTTP and SMTP: every link of the
 * old address is followed, and what the new one had before stays as it was.
 */
export const followEveryLink = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  await using sink = await MailSink.open()
  await using home = await Home.make({ SMTP_URL: sink.url, ...settings })
  await home.serveInProcess()
  const { ask } = await administered(home)
  const post = async (link: string, fields: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(new URL(new URL(link, home.url).pathname, home.url), {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(fields),
    })
    return { status: answer.status, value: await answer.json() }
  }
  const mailed = async (to: string, purpose: string): Promise<string> => {
    const find = () =>
      sink.mails
        .filter((mail) => mail.to === to)
        .map(({ text }) => new RegExp(`/${purpose}/[0-9a-f.]+`).exec(text.replace(/=\r?\n/g, ''))?.[0])
        .find((link) => link !== undefined)
    await eventually(() => find() !== undefined)
    return find() ?? ''
  }
  const statuses = async (email: string) => {
    const { value } = await ask('GET', `/subscriptions?email=${encodeURIComponent(email)}`)
    return Object.fromEntries(value.items.map((one: { feed: string; status: string }) => [one.feed, one.status]))
  }
  const unsubscribeLinks = async (feed: string, token: string): Promise<Record<string, string>> => {
    const answer = await fetch(`${home.url}/feeds/${feed}/recipients`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const lines = (await answer.text()).trim().split('\n')
    const recipients = lines.map((line) => JSON.parse(line)).filter(({ email }) => email !== undefined)
    return Object.fromEntries(recipients.map(({ email, unsubscribe_url: link }) => [email, link]))
  }

  await ask('PUT', '/feeds/weekly', { title: 'Weekly' })
  const token = await home.token('root', 'admin')
  const consent = {
    created_at: '2026-07-01T10:00:00.000Z',
    confirmed_at: '2026-07-01T10:00:00.000Z',
    consent: 'a card',
  }
  const rows = [
    { email: OLD, ...consent },
    { email: OLD, feed: 'weekly', ...consent },
    { email: NEW, ...consent },
  ]
  const imported = await fetch(`${home.url}/subscriptions/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: rows.map((row) => JSON.stringify(row)).join('\n'),
  })
  expect([imported.status, await imported.text()]).toEqual([200, expect.stringContaining('"imported":3')])
  const links = [await unsubscribeLinks('default', token), await unsubscribeLinks('weekly', token)]

  await post('/preferences', { email: OLD })
  const preferences = await mailed(OLD, 'preferences')
  expect((await post(`${preferences}/move`, { email: NEW })).status).toBe(200)
  expect((await post(await mailed(NEW, 'move'))).status).toBe(200)
  expect(await statuses(NEW)).toEqual({ default: 'confirmed', weekly: 'confirmed' })

  for (const of of links) expect((await post(of[OLD] ?? '', { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
  expect(await statuses(NEW)).toEqual({ default: 'confirmed', weekly: 'ended' })
  expect((await post(await mailed(OLD, 'undo'))).status).toBe(200)
  expect(await statuses(NEW)).toEqual({ default: 'confirmed', weekly: 'ended' })
  expect(await statuses(OLD)).toEqual({ default: 'confirmed', weekly: 'confirmed' })
  expect((await post(preferences, { action: 'erase' })).status).toBe(200)
  expect([await statuses(OLD), (await statuses(NEW)).default]).toEqual([{}, 'confirmed'])
}
