import { describe, expect, it } from 'vitest'
import { administered } from './administered.ts'
import { answering, EventReceiver } from './event-receiver.ts'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const LOOPBACK = { WEBHOOK_ALLOW: '127.0.0.1' }

describe('events', () => {
  it('arrive in the end, through refusals, silence and absence, in the order of each subject', async () => {
    await using receiver = await EventReceiver.open()
    const { port } = receiver
    await using home = await Home.make(LOOPBACK)
    await home.serve()
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
    const queued = JSON.parse((await home.run('outbox', 'list', '--json')).stdout).items
    expect(queued).toMatchObject([{ kind: 'user.created', subject: 'carol', webhook: 'shop', parked_at: null }])
    expect((await ask('GET', '/readyz')).value).toMatchObject({ outbox: 'ok' })
    await receiver.listen(port)
    expect((await home.run('outbox', 'retry', queued[0].id)).stdout).toBe('1 event will be sent at once.\n')
    await eventually(() => receiver.taken.some(({ subject }) => subject === 'carol'))
    // It is written down a moment after it was taken.
    await eventually(async () => (await home.run('outbox', 'list')).stderr === 'The outbox is empty.\n')
  })

  it('arrive again under the same id where the service was killed while it sent them', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make(LOOPBACK)
    const server = await home.serve()
    const { putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
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

  it('arrive again at once where the service was stopped before a slow target had answered: it did not fail', async () => {
    await using receiver = await EventReceiver.open()
    await using home = await Home.make({ ...LOOPBACK, SHUTDOWN_TIMEOUT: '1s' })
    const server = await home.serve()
    const { putUser, putWebhook } = await administered(home)
    await putWebhook(receiver.url)
    receiver.reply = () => new Promise(() => undefined)
    await putUser('ada')
    await eventually(() => receiver.arrivals.length === 1)
    await server.kill('SIGTERM')
    const { items } = JSON.parse((await home.run('outbox', 'list', '--json')).stdout)
    expect(items.filter(({ webhook }: { webhook?: string }) => webhook)).toMatchObject([{ attempts: 0 }])
    receiver.reply = () => answering(204)
    await home.serve()
    await eventually(() => receiver.taken.length === 1)
  })
})
