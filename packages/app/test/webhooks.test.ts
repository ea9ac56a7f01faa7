import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { administered } from './administered.ts'
import { EventReceiver, isSigned } from './event-receiver.ts'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const LOOPBACK = { WEBHOOK_ALLOW: '127.0.0.1' }

const served = async (home: Home) => {
  await home.serveInProcess()
  return await administered(home)
}

const signUp = async (home: Home, email: string, name: string): Promise<number> => {
  const answer = await home.signUp(email, { name })
  return ((await answer.json()) as { subscription: { id: number } }).subscription.id
}

describe('events', () => {
  it('arrive signed, each once, as `GET /events` shows them; and with both secrets during a rotation', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const { ask, putUser, putWebhook } = await served(home)
    const secret = await putWebhook(receiver.url)
    await signUp(home, 'ada@example.com', 'Ada')
    await putUser('grace', 'Grace')
    await eventually(() => receiver.taken.length === 2)
    const listed = (await ask('GET', '/events')).value.items
    expect(receiver.taken.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(listed)
    for (const arrival of receiver.taken) {
      expect(isSigned(secret, arrival)).toBe(true)
      expect(arrival.id).toBe(JSON.parse(arrival.body).id)
    }
    const rotated = (await ask('POST', '/webhooks/shop/rotate', {})).value.secret
    await putUser('grace', 'Grace H.')
    await eventually(() => receiver.taken.length === 3)
    const third = receiver.taken.at(-1)
    expect([secret, rotated].map((one) => third && isSigned(one, third))).toEqual([true, true])
    expect(receiver.arrivals).toHaveLength(3)
    const files = readdirSync(path.join(home.folder, 'data'), { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile()))
      for (const one of [secret, rotated])
        expect(readFileSync(path.join(file.parentPath, file.name)).includes(one.slice(6))).toBe(false)
  })

  it('go to no private address unless that is configured, by no way of writing it', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make()
    const { ask, putUser } = await served(home)
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1']) {
      const { status, value } = await ask('PUT', '/webhooks/shop', { url: `https://${host}:${receiver.port}/` })
      expect([status, value.details?.[0]?.field]).toEqual([422, 'url'])
    }
    // What it stands for is seen when something is sent there.
    const { status } = await ask('PUT', '/webhooks/shop', { url: `https://localhost:${receiver.port}/` })
    expect(status).toBe(201)
    await putUser('ada')
    const queued = async () => JSON.parse((await home.run('outbox', 'list', '--json')).stdout).items
    await eventually(async () => typeof (await queued())[0]?.last_error === 'string', 'that it has failed')
    expect(await queued()).toHaveLength(1)
    expect((await queued())[0].last_error).toContain('no address that events may be sent to')
    expect(receiver.arrivals).toEqual([])
  })
})
