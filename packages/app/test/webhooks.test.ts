import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { answering, EventReceiver, isSigned } from './event-receiver.ts'
import { Home } from './running-service.ts'

const LOOPBACK = { WEBHOOK_ALLOW: '127.0.0.1' }

const eventually = async (holds: () => Promise<boolean> | boolean, within = 40_000): Promise<void> => {
  for (const end = Date.now() + within; !(await holds()); await sleep(20)) {
    if (Date.now() > end) throw new Error('it did not come true in time')
  }
}

/** A served home with an administrator. */
const administered = async (home: Home) => {
  await home.serve()
  const token = await home.token('root', 'admin')
  const ask = async (method: string, place: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(`${home.url}${place}`, request)
    const text = await answer.text()
    return { status: answer.status, value: text === '' ? undefined : JSON.parse(text) }
  }
  const putUser = (id: string, name = '') => ask('PUT', `/users/${id}`, { email: `${id}@example.com`, name, roles: [] })
  const putWebhook = async (url: string, more = {}): Promise<string> => {
    const { status, value } = await ask('PUT', '/webhooks/shop', { url, ...more })
    expect([status, value?.error]).toEqual([value === undefined ? 204 : 201, undefined])
    return value?.secret
  }
  return { ask, putUser, putWebhook }
}

const signUp = async (home: Home, email: string, name: string): Promise<number> => {
  const answer = await fetch(`${home.url}/subscribe`, { method: 'POST', body: new URLSearchParams({ email, name }) })
  return ((await answer.json()) as { subscription: { id: number } }).subscription.id
}

describe('events', { timeout: 90_000 }, () => {
  it('arrive signed, each once, as `GET /events` tells them; and with both secrets during a rotation', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const { ask, putUser, putWebhook } = await administered(home)
    const secret = await putWebhook(receiver.url)
    await signUp(home, 'ada@example.com', 'Ada')
    await putUser('grace', 'Grace')
    await eventually(() => receiver.taken.length === 2)
    const told = (await ask('GET', '/events')).value.items
    expect(receiver.taken.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(told)
    for (const arrival of receiver.taken) {
      expect(isSigned(secret, arrival)).toBe(true)
      expect(arrival.id).toBe(JSON.parse(arrival.body).id)
    }
    const rotated = (await ask('POST', '/webhooks/shop/rotate', {})).value.secret
    await putUser('grace', 'Grace H.')
    await eventually(() => receiver.taken.length === 3)
    const [, , third] = receiver.taken
    expect([secret, rotated].map((one) => third && isSigned(one, third))).toEqual([true, true])
    const revoked = (await ask('POST', '/webhooks/shop/rotate', { revoke: true })).value.secret
    await putUser('grace', 'Grace Hopper')
    await eventually(() => receiver.taken.length === 4)
    const fourth = receiver.taken.at(-1)
    const verified = [secret, rotated, revoked].map((one) => fourth && isSigned(one, fourth))
    expect(verified).toEqual([false, false, true])
    expect(receiver.arrivals).toHaveLength(4)
    const files = readdirSync(path.join(home.folder, 'data'), { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile()))
      for (const one of [secret, rotated, revoked])
        expect(readFileSync(path.join(file.parentPath, file.name)).includes(one.slice(6))).toBe(false)
  })

  it('arrive in the end, through refusals, silence and absence, in the order of each subject', async () => {
    await using receiver = await EventReceiver.open()
    const { port } = receiver
    await using home = await Home.make(LOOPBACK)
    const { ask, putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
    let count = 0
    const troubles = [answering(500), answering(429), answering(302)]
    receiver.reply = () => troubles[count++] ?? answering(204)
    for (const name of ['one', 'two', 'three']) await putUser('ada', name)
    await putUser('brian')
    await eventually(() => receiver.taken.length === 4)
    const ofAda = receiver.taken.filter(({ subject }) => subject === 'ada').map(({ id }) => Number.parseInt(id, 10))
    expect(ofAda).toEqual(ofAda.toSorted((a, b) => a - b))
    expect(receiver.arrivals.length).toBeGreaterThan(4)
    await receiver.vanish()
    await putUser('carol')
    await eventually(async () => (await home.run('outbox', 'list')).stdout.includes('ECONNREFUSED'))
    const owed = JSON.parse((await home.run('outbox', 'list', '--json')).stdout).items
    expect(owed).toMatchObject([{ kind: 'user.created', subject: 'carol', webhook: 'shop', parked_at: null }])
    expect((await ask('GET', '/readyz')).value).toMatchObject({ outbox: 'ok' })
    await receiver.listen(port)
    expect((await home.run('outbox', 'retry', owed[0].id)).stdout).toBe('1 event will be sent at once.\n')
    await eventually(() => receiver.taken.some(({ subject }) => subject === 'carol'))
    // It is written down a moment after it was taken.
    await eventually(async () => (await home.run('outbox', 'list')).stderr === 'Nothing is owed.\n')
  })

  it('wait where the target has said that it is gone, and are sent once it is enabled, or told to be sent again', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const { ask, putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
    receiver.reply = () => answering(410)
    await putUser('ada')
    await eventually(async () => (await ask('GET', '/webhooks/shop')).value.disabled_because === 'gone')
    await putUser('brian')
    expect((await ask('GET', '/readyz')).value).toMatchObject({ outbox: 'parked' })
    await sleep(1_500)
    expect(receiver.arrivals).toHaveLength(1)
    receiver.reply = () => answering(200)
    await putWebhook(receiver.url)
    await eventually(() => receiver.taken.length === 2)
    expect((await ask('GET', '/readyz')).value).toMatchObject({ outbox: 'ok' })
    const first = receiver.taken.map(({ id }) => id)
    expect((await home.run('webhook', 'redeliver', 'shop', '--after', '0')).code).toBe(0)
    await eventually(() => receiver.taken.length === 4)
    expect(receiver.taken.map(({ id }) => id).slice(2)).toEqual(first)
    const { items } = JSON.parse((await home.run('audit', 'list', '--json')).stdout)
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['webhook.put', 'webhook.disable', 'webhook.redeliver']),
    )
  })

  it('arrive again under the same id where the service was killed while it sent them', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const { putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
    const server = await (async () => {
      await home.stopAll('SIGTERM')
      return await home.serve()
    })()
    receiver.reply = async () => {
      await server.kill('SIGKILL')
      return answering(204)
    }
    await putUser('ada')
    await eventually(() => receiver.arrivals.length === 1)
    await server.ended
    receiver.reply = () => answering(204)
    await home.serve()
    await eventually(() => receiver.taken.length === 2)
    const [first, second] = receiver.arrivals
    expect(second?.id).toBe(first?.id)
    expect(second?.body).toBe(first?.body)
  })

  it('of a person who was erased before they arrive hold ids alone', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const { ask, putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url, { enabled: false })
    const id = await signUp(home, 'ada@example.com', 'Ada Lovelace')
    await putUser('brian', 'Brian Kernighan')
    expect((await ask('DELETE', `/subscriptions/${id}`)).status).toBe(204)
    expect((await ask('DELETE', '/users/brian')).status).toBe(204)
    await putWebhook(receiver.url)
    await eventually(() => receiver.taken.length === 4)
    const told = receiver.taken.map(({ type, data }) => [type, data])
    expect(told).toEqual(
      expect.arrayContaining([
        ['subscription.pending', { id }],
        ['subscription.erased', { id }],
        ['user.created', { id: 'brian' }],
        ['user.deleted', { id: 'brian' }],
      ]),
    )
    expect(JSON.stringify(receiver.taken)).not.toMatch(/ada@|Lovelace|brian@|Kernighan/)
  })

  it('go to no private address unless that is configured, by no way of writing it', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make()
    const { ask, putUser } = await administered(home)
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '10.0.0.1']) {
      const { status, value } = await ask('PUT', '/webhooks/shop', { url: `https://${host}:${receiver.port}/` })
      expect([status, value.details?.[0]?.field]).toEqual([422, 'url'])
    }
    // What it stands for is seen when something is sent there.
    const { status } = await ask('PUT', '/webhooks/shop', { url: `https://localhost:${receiver.port}/` })
    expect(status).toBe(201)
    await putUser('ada')
    const owed = async () => JSON.parse((await home.run('outbox', 'list', '--json')).stdout).items
    await eventually(async () => (await owed())[0]?.last_error !== null && (await owed()).length === 1)
    expect((await owed())[0].last_error).toContain('no address that events may be sent to')
    expect(receiver.arrivals).toEqual([])
  })
})
