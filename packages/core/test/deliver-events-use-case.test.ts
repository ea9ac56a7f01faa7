import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { MINUTE, publishedEvent, WebhookRefused } from '../src/index.ts'
import { ADMIN, confirm, mailedToken, putUser, type Service, subscribe } from './cast.ts'
import {
  anotherEventWorker,
  deliverEvents,
  deliveriesOf,
  eventIn,
  eventsSent,
  progressOf,
  putWebhook,
  SHOP,
  typesSent,
  URL,
  withWebhook,
} from './webhooks.ts'

const erase = (at: Service, id: number) => at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)

describe('delivering events', () => {
  it('does nothing where there is no webhook, or nothing has happened', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    expect(await deliverEvents(at)).toEqual({ sent: 0, failures: [] })
    const { at: quiet } = await withWebhook()
    expect(await deliverEvents(quiet)).toEqual({ sent: 0, failures: [] })
    expect(quiet.useCases.deliverEvents.lastRound).toBe(quiet.clock.now())
  })

  it('sends each event that happens from then on once, as `GET /events` shows it, under its id', async () => {
    const at = openMemoryService()
    await putUser(at, 'before')
    const { secret } = await putWebhook(at)
    const { id } = await subscribe(at, 'ada@example.com', { name: 'Ada' })
    await putUser(at, 'root')
    expect(await deliverEvents(at)).toEqual({ sent: 2, failures: [] })
    expect(await deliverEvents(at)).toEqual({ sent: 0, failures: [] })
    const listed = (await at.useCases.listEvents.execute({}, ADMIN)).items.map(publishedEvent).slice(1)
    expect(eventsSent(at)).toEqual(listed)
    expect(listed.map(({ subject }) => subject)).toEqual([String(id), 'root'])
    expect(at.webhookTransport.messages).toMatchObject(
      listed.map((event) => ({ id: event.id, url: URL, secrets: [secret] })),
    )
    expect(await deliveriesOf(at)).toEqual([])
  })

  it('sends each target what it wants, and queues nothing else for it', async () => {
    const { at } = await withWebhook({ types: ['user.created'] })
    await putWebhook(at, { name: 'crm', url: 'https://crm.example/', types: ['subscription.pending', 'user.created'] })
    await subscribe(at, 'ada@example.com')
    await putUser(at, 'root')
    await deliverEvents(at)
    const sent = at.webhookTransport.messages.map((message) => [message.url, eventIn(message).type])
    expect(sent.sort()).toEqual([
      ['https://crm.example/', 'subscription.pending'],
      ['https://crm.example/', 'user.created'],
      [URL, 'user.created'],
    ])
    expect((await progressOf(at))?.cursor).toBe(2)
  })

  it('sends nothing more of a type that was taken from the target, though it waited', async () => {
    const { at } = await withWebhook()
    at.webhookTransport.otherSide = async () => {
      throw new WebhookRefused('It is busy.', { status: 503 })
    }
    await subscribe(at, 'ada@example.com')
    await putUser(at, 'root')
    await deliverEvents(at)
    expect(await deliveriesOf(at)).toHaveLength(2)
    at.webhookTransport.otherSide = async () => undefined
    await putWebhook(at, { types: ['user.created'] })
    const before = at.webhookTransport.messages.length
    for (let times = 0; times < 3; times++) {
      at.clock.advance(86_400_000)
      await deliverEvents(at)
    }
    expect(at.webhookTransport.messages.slice(before).map((message) => eventIn(message).type)).toEqual(['user.created'])
    expect(await deliveriesOf(at)).toEqual([])
  })

  it('sends the events of one subject one after another, in their order, and of others meanwhile', async () => {
    const { at } = await withWebhook()
    for (const name of ['Ada', 'Ada L.', 'Ada Lovelace']) await putUser(at, 'ada', [], name)
    await putUser(at, 'brian')
    const log: string[] = []
    at.webhookTransport.otherSide = async (message) => {
      const { id, subject } = eventIn(message)
      log.push(`${subject} ${id.split('-')[0]} begins`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(`${subject} ${id.split('-')[0]} ends`)
    }
    expect(await deliverEvents(at)).toEqual({ sent: 4, failures: [] })
    expect(log.filter((line) => line.startsWith('ada'))).toEqual(
      [1, 2, 3].flatMap((n) => [`ada ${n} begins`, `ada ${n} ends`]),
    )
    expect(log.indexOf('brian 4 begins')).toBeLessThan(log.indexOf('ada 1 ends'))
  })

  it('says nothing of a person who was erased meanwhile but the id, and of who says that they went', async () => {
    const { at } = await withWebhook()
    const { id } = await subscribe(at, 'ada@example.com', { name: 'Ada' })
    await confirm(at, await mailedToken(at, 'confirm'))
    await putUser(at, 'brian', [], 'Brian')
    await erase(at, id)
    await at.useCases.deleteUser.execute({ userId: 'brian' }, ADMIN)
    await deliverEvents(at)
    expect(
      eventsSent(at)
        .map(({ type, data }) => [type, data])
        .sort(),
    ).toEqual([
      ['subscription.confirmed', { id, feed: 'default' }],
      ['subscription.erased', { id, feed: 'default' }],
      ['subscription.pending', { id, feed: 'default' }],
      ['user.created', { id: 'brian' }],
      ['user.deleted', { id: 'brian' }],
    ])
    expect(JSON.stringify(at.webhookTransport.messages)).not.toMatch(/ada@|Ada|Brian/)
  })

  it('queues nothing but ids: an erasure need not change the queue', async () => {
    const { at } = await withWebhook()
    await subscribe(at, 'ada@example.com', { name: 'Ada' })
    at.webhookTransport.otherSide = async () => {
      throw new Error('ada@example.com is not known here')
    }
    await deliverEvents(at)
    const queued = await deliveriesOf(at)
    expect(queued).toMatchObject([{ attempts: 1, lastError: '<address> is not known here' }])
    expect(JSON.stringify(queued)).not.toMatch(/ada@|Ada/)
  })

  it('is at least once: what its worker did not live to write down is sent again under the same id', async () => {
    const { at } = await withWebhook()
    await putUser(at, 'ada')
    const ids: string[] = []
    const { run } = at.storage.unitOfWork
    at.webhookTransport.otherSide = async ({ id }) => {
      ids.push(id)
      if (ids.length === 1) at.ports.unitOfWork.run = () => Promise.reject(new Error('killed'))
    }
    await expect(deliverEvents(at)).rejects.toThrow('killed')
    at.ports.unitOfWork.run = run
    const successor = anotherEventWorker(at)
    expect(await deliverEvents(at, successor)).toEqual({ sent: 0, failures: [] })
    at.clock.advance(60_000)
    expect(await deliverEvents(at, successor)).toEqual({ sent: 1, failures: [] })
    expect(ids).toEqual([ids[0], ids[0]])
  })

  it('keeps its leases for as long as it renews them', async () => {
    const { at } = await withWebhook()
    await putUser(at, 'ada')
    const successor = anotherEventWorker(at)
    at.webhookTransport.otherSide = async () => {
      for (let n = 0; n < 5; n++) {
        at.clock.advance(30_000)
        await at.useCases.deliverEvents.renewLeases()
      }
      expect((await deliverEvents(at, successor)).sent).toBe(0)
    }
    expect((await deliverEvents(at)).sent).toBe(1)
  })

  it('begins nothing more once it is asked to stop, and reports what it had begun', async () => {
    const { at } = await withWebhook()
    await putWebhook(at, { name: 'crm', url: 'https://crm.example/' })
    await putUser(at, 'ada')
    const stop = new AbortController()
    at.webhookTransport.otherSide = async () => stop.abort()
    await at.useCases.deliverEvents.advance({ stop: stop.signal })
    const { sent } = await at.useCases.deliverEvents.finish()
    expect(typesSent(at)).toHaveLength(sent)
    await putUser(at, 'brian')
    await deliverEvents(at, undefined, { stop: stop.signal })
    expect(typesSent(at)).toHaveLength(sent)
  })

  it('gives back untried what is broken off, and claims nothing more', async () => {
    const { at } = await withWebhook()
    for (let n = 0; n < 30; n++) await putUser(at, `u${n}`)
    let tries = 0
    at.webhookTransport.otherSide = async () => {
      tries++
      throw new DOMException('This operation was aborted', 'AbortError')
    }
    await at.useCases.deliverEvents.advance({})
    expect(await at.useCases.deliverEvents.finish()).toEqual({ sent: 0, failures: [] })
    expect(tries).toBe(at.webhookTransport.concurrency)
    expect((await deliveriesOf(at)).every(({ attempts }) => attempts === 0)).toBe(true)
    expect(await progressOf(at)).toMatchObject({ failures: 0, failingSince: undefined })
  })

  it('gives back untried what it has claimed when it is asked to stop', async () => {
    const { at } = await withWebhook()
    await putUser(at, 'ada')
    const stop = new AbortController()
    const { users } = at.storage.readers
    const find: typeof users.find = async (id) => {
      stop.abort()
      return await users.find(id)
    }
    Object.assign(at.storage.readers, { users: { ...users, find } })
    expect(await deliverEvents(at, undefined, { stop: stop.signal })).toEqual({ sent: 0, failures: [] })
    expect(at.webhookTransport.messages).toEqual([])
    expect(await deliveriesOf(at)).toMatchObject([{ attempts: 0 }])
    expect((await deliverEvents(at, anotherEventWorker(at))).sent).toBe(1)
  })

  it('goes on by itself as soon as there is room, for as long as there is anything, and looks up subjects together', async () => {
    const { at } = await withWebhook()
    for (let n = 0; n < 150; n++) await subscribe(at, `a${n}@example.com`)
    const { subscriptions } = at.storage.readers
    const { run } = at.storage.unitOfWork
    let [units, looks, most, now] = [0, 0, 0, 0]
    const findMany: typeof subscriptions.findMany = async (ids) => {
      looks++
      return await subscriptions.findMany(ids)
    }
    Object.assign(at.storage.readers, { subscriptions: { ...subscriptions, findMany } })
    Object.assign(at.storage.unitOfWork, {
      run: (...work: Parameters<typeof run>) => {
        units++
        return run(...work)
      },
    })
    at.webhookTransport.otherSide = async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now--
    }
    const pace = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
    await at.useCases.deliverEvents.advance({ pace })
    expect((await at.useCases.deliverEvents.finish()).sent).toBe(150)
    expect(most).toBe(at.webhookTransport.concurrency)
    expect([looks, units].every((count) => count < 50)).toBe(true)
  })

  it('hears of what is due while it waits for a target', async () => {
    const { at } = await withWebhook()
    await putUser(at, 'ada')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    at.webhookTransport.otherSide = async ({ body }) => {
      if (body.includes('"subject":"ada"')) await answered
    }
    await at.useCases.deliverEvents.advance({})
    await putUser(at, 'brian')
    await at.useCases.deliverEvents.advance({})
    for (let turns = 0; turns < 50 && eventsSent(at).length === 0; turns++)
      await new Promise((resolve) => setTimeout(resolve))
    expect(eventsSent(at).map(({ subject }) => subject)).toEqual(['brian'])
    answer()
    expect((await at.useCases.deliverEvents.finish()).sent).toBeGreaterThan(0)
    expect(await deliveriesOf(at)).toEqual([])
  })

  it('leaves room for others, however many targets are slow', async () => {
    const { at } = await withWebhook()
    const slow = ['one', 'two', 'three', 'four', 'five']
    for (const name of slow) await putWebhook(at, { name, url: `https://slow.example/${name}` })
    for (let n = 0; n < 50; n++) await putUser(at, `u${n}`)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    at.webhookTransport.otherSide = ({ url }) => (url.includes('slow') ? held : Promise.resolve())
    const ofShop = () => at.webhookTransport.messages.filter(({ url }) => url === URL)
    for (let rounds = 0; rounds < 200 && ofShop().length < 50; rounds++) {
      await at.useCases.deliverEvents.advance({})
      await new Promise((resolve) => setTimeout(resolve))
    }
    expect(ofShop()).toHaveLength(50)
    release()
    await at.useCases.deliverEvents.finish()
    expect(at.webhookTransport.messages).toHaveLength(50 * (1 + slow.length))
  })

  it('looks after each target in its turn, however many have more to do than they take', async () => {
    const { at } = await withWebhook({ enabled: false })
    Object.assign(at.webhookTransport, { concurrency: 1 })
    for (let n = 0; n < 120; n++) await putWebhook(at, { name: `slow-${n}`, url: 'https://slow.example/' })
    for (const user of ['ada', 'brian']) await putUser(at, user)
    at.clock.advance(MINUTE)
    await putWebhook(at, { name: 'last', url: 'https://last.example/' })
    await putUser(at, 'carol')
    const held = Promise.withResolvers<void>()
    at.webhookTransport.otherSide = ({ url }) => (url.includes('slow') ? held.promise : Promise.resolve())
    for (let rounds = 0; rounds < 3; rounds++) await at.useCases.deliverEvents.advance({})
    for (let turns = 0; turns < 50 && eventsSent(at).length === 0; turns++)
      await new Promise((resolve) => setTimeout(resolve))
    expect(at.webhookTransport.messages.map(({ url }) => url)).toEqual(['https://last.example/'])
    held.resolve()
    await at.useCases.deliverEvents.finish()
  })

  describe('with 2,000 events of one subject that wait', () => {
    const withBacklog = async (failures: number) => {
      const { at } = await withWebhook()
      await at.storage.unitOfWork.run(async ({ events, webhookDeliveries }) => {
        await events.append({ type: 'user.updated', subject: 'another', at: at.clock.now() })
        await webhookDeliveries.add(
          SHOP,
          Array.from({ length: 2_000 }, (_, n) => ({
            ...{ position: 10_000 + n, type: 'user.updated', subject: 'same', at: 0 },
          })) as never,
        )
        await webhookDeliveries.putProgress(SHOP, {
          cursor: 0,
          failures,
          failingSince: undefined,
          pausedUntil: at.clock.now(),
        })
      })
      return at
    }

    it('queues no more for a target that is unwell: the rest waits in the log', async () => {
      const at = await withBacklog(5)
      at.webhookTransport.otherSide = async () => {
        throw new Error('busy')
      }
      await deliverEvents(at)
      expect((await progressOf(at))?.cursor).toBe(0)
    })

    it('sends those of others, if it is these alone that the target refuses', async () => {
      const at = await withBacklog(0)
      at.webhookTransport.otherSide = async (message) => {
        if (eventIn(message).subject === 'same') throw new WebhookRefused('no', { status: 422 })
      }
      await deliverEvents(at)
      expect(at.webhookTransport.messages.map((message) => eventIn(message).subject)).toContain('another')
    })
  })
})
