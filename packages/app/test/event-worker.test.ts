import { type DeliverEventsUseCase, type EventDeliveryRound, operator, WebhookGone } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { eventWorker } from '../src/workers/event-worker.ts'
import { eventually } from './eventually.ts'

// A worker that waits does so until the test says that a second is over.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ROOT = operator('root')

const openWorker = async (changes: Partial<Parameters<typeof eventWorker>[0]> = {}) => {
  const service = openMemoryService()
  const { useCases, webhookTransport } = service
  await useCases.putWebhook.execute({ name: 'shop', url: 'https://shop.example/' }, ROOT)
  const rounds: Pick<EventDeliveryRound, 'sent' | 'failures'>[] = []
  const metrics = { ...NO_SERVICE_METRICS, eventsDelivered: (round: (typeof rounds)[0]) => void rounds.push(round) }
  const requests = { idle: async () => {} }
  const worker = eventWorker({ deliver: useCases.deliverEvents, metrics, log: silentLog, requests, ...changes })
  const happen = async (count: number) => {
    for (let n = 0; n < count; n++)
      await useCases.putUser.execute({ userId: `u${n}`, email: `u${n}@example.com`, name: '', roles: [] }, ROOT)
  }
  const sent = (count: number) =>
    eventually(() => webhookTransport.messages.length >= count, `that ${count} events are sent`)
  return { ...service, worker, happen, sent, rounds }
}

it('finds what happened, and goes on for as long as there is anything', async () => {
  const { worker, happen, sent, rounds } = await openWorker()
  worker.start()
  await eventually(() => vi.getTimerCount() > 0, 'that it waits')
  await happen(150)
  await vi.advanceTimersByTimeAsync(1_000)
  await sent(150)
  await worker.stop()
  expect(rounds.reduce((sum, round) => sum + round.sent, 0)).toBe(150)
})

it('finishes what is in hand when it is stopped, and takes nothing more', async () => {
  const { worker, happen, webhookTransport, storage } = await openWorker()
  await happen(60)
  let begun = 0
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  webhookTransport.otherSide = async () => {
    begun++
    await answered
  }
  worker.start()
  await eventually(() => begun > 0, 'that it has begun')
  const stopped = worker.stop()
  answer()
  await stopped
  expect(webhookTransport.messages).toHaveLength(begun)
  expect(begun).toBeLessThan(60)
  expect((await storage.readers.webhookDeliveries.depth()).waiting).toBe(60 - begun)
})

it('logs failures, and that nothing more is sent to a target that is gone', async () => {
  const logged: [level: string, fields: object][] = []
  const note = (level: string) => (fields: object) => void logged.push([level, fields])
  const log = { ...silentLog, warn: note('warn'), error: note('error') } as never
  const { worker, happen, webhookTransport, rounds } = await openWorker({ log })
  let tries = 0
  webhookTransport.otherSide = async () => {
    tries++
    throw new WebhookGone('The target answered 410.')
  }
  await happen(1)
  worker.start()
  await eventually(() => tries > 0, 'that it has tried')
  await worker.stop()
  expect(rounds.flatMap(({ failures }) => failures)).toHaveLength(1)
  expect(logged).toEqual([
    ['warn', { delivery: 1, webhook: 'shop', event: 1, attempts: 1, reason: 'The target answered 410.' }],
    ['error', { webhook: 'shop', because: 'gone' }],
  ])
})

it('counts what was done beside some trouble, and logs that', async () => {
  const logged: object[] = []
  const log = { ...silentLog, error: (fields: object) => void logged.push(fields) } as never
  const trouble = new Error('no disk')
  const round = async () => ({ sent: 2, failures: [], trouble })
  const deliver = { advance: round, finish: round, renewLeases: async () => {} } as unknown as DeliverEventsUseCase
  const { worker, rounds } = await openWorker({ deliver, log })
  worker.start()
  await worker.stop()
  expect(rounds).toMatchObject([{ sent: 2 }, { sent: 2 }])
  expect(logged).toEqual([{ err: trouble }, { err: trouble }])
})

it('goes on after storage was down', async () => {
  let rounds = 0
  const round = async () => {
    if (++rounds === 1) throw new Error('down')
    return { sent: 0, failures: [] }
  }
  const deliver = { advance: round, finish: round, renewLeases: async () => {} } as unknown as DeliverEventsUseCase
  const { worker } = await openWorker({ deliver })
  worker.start()
  await eventually(() => vi.getTimerCount() > 0, 'that it waits')
  await vi.advanceTimersByTimeAsync(1_000)
  await eventually(() => rounds > 1, 'that it goes on')
  await worker.stop()
  expect(rounds).toBeGreaterThan(1)
})
