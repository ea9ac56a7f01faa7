import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import perfHooks from 'node:perf_hooks'
import { openMemoryService } from '@rollcall/core/memory'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { givingWayOf, OutboxWorker } from '../src/workers/outbox-worker.ts'
import { RequestsInFlight } from '../src/workers/requests-in-flight.ts'
import { Signal } from '../src/workers/signal.ts'
import { eventually } from './eventually.ts'

const source = { via: 'form', clientAddress: undefined, userAgent: undefined }

const IDLE = { active: false, idle: async () => {} }

const openWorker = (requests: Pick<RequestsInFlight, 'active' | 'idle'> = IDLE) => {
  const service = openMemoryService()
  const outboxSignal = new Signal()
  const worker = new OutboxWorker({
    deliver: service.useCases.deliverOutbox,
    outboxSignal,
    metrics: NO_SERVICE_METRICS,
    log: silentLog,
    requests,
    givingWay: { usual: 7, saturated: 30 },
  })
  const signUp = async (count: number, prefix = 'p'): Promise<void> => {
    for (let n = 0; n < count; n++)
      await service.useCases.subscribe.execute({ email: `${prefix}${n}@example.com`, source })
  }
  return { ...service, outboxSignal, worker, signUp }
}

// A worker that waits does so until the test says that a second is over.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const sent = (transport: { mails: readonly unknown[] }, count: number) =>
  eventually(() => transport.mails.length >= count, `that ${count} mails are sent`)

/** The worker has found nothing to do. */
const idle = () => eventually(() => vi.getTimerCount() > 0, 'that it waits')

it('sends at once when it is notified', async () => {
  const { worker, outboxSignal, transport, signUp } = openWorker()
  worker.start()
  await idle()
  await signUp(1)
  outboxSignal.notify()
  await sent(transport, 1)
  await worker.stop()
})

it('finds without a ring what another process has left', async () => {
  const { worker, transport, signUp } = openWorker()
  worker.start()
  await idle()
  await signUp(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await sent(transport, 1)
  await worker.stop()
})

it('works off more than one round of a backlog', async () => {
  const { worker, transport, signUp } = openWorker()
  await signUp(250)
  worker.start()
  await sent(transport, 250)
  await worker.stop()
})

it('gives way for longer where mails are files, which the thread of the requests writes', () => {
  expect(givingWayOf({ keepsMails: true })).toEqual({ usual: 50, saturated: 250 })
  expect(givingWayOf({ keepsMails: false })).toEqual({ usual: 5, saturated: 5 })
})

it('gives way before each mail while requests are being answered, and sends them all the same', async () => {
  const gaveWay: unknown[] = []
  const idle = async (...times: unknown[]) => {
    gaveWay.push(times)
  }
  const { worker, transport, signUp } = openWorker({ active: true, idle })
  await signUp(40)
  worker.start()
  await sent(transport, 40)
  await worker.stop()
  expect(gaveWay).toEqual(Array(40).fill([7, 30]))
})

it('counts a request from its beginning to the end of its answer, and finds quiet when none has followed', async () => {
  const server = new EventEmitter()
  const requests = new RequestsInFlight(server as unknown as Server)
  expect(requests.active).toBe(false)
  await requests.idle(1e6)
  const begin = () => {
    const response = new EventEmitter()
    server.emit('request', {}, response)
    return () => response.emit('close')
  }
  const [endFirst, endSecond] = [begin(), begin()]
  expect(requests.active).toBe(true)
  const notQuiet = requests.idle(1)
  await vi.advanceTimersByTimeAsync(1)
  await notQuiet
  let quiet = false
  const waiting = requests.idle(1e6).then(() => {
    quiet = true
  })
  endFirst()
  await Promise.resolve()
  endSecond()
  const endThird = begin()
  await vi.advanceTimersByTimeAsync(20)
  expect([requests.active, quiet]).toEqual([true, false])
  endThird()
  await vi.advanceTimersByTimeAsync(20)
  await waiting
  expect(requests.active).toBe(false)
})

it('is held up neither by a mail that takes long nor by the end of its round', async () => {
  const { worker, transport, outboxSignal, signUp } = openWorker()
  let letGo = () => {}
  transport.otherSide = ({ to }) =>
    to.startsWith('slow') ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve()
  await signUp(1, 'slow')
  await signUp(120)
  worker.start()
  await sent(transport, 120)
  await signUp(1, 'late')
  outboxSignal.notify()
  await sent(transport, 121)
  const stopped = worker.stop()
  letGo()
  await stopped
  expect(transport.mails).toHaveLength(122)
})

it('goes on when a round fails', async () => {
  const { worker, outboxSignal, transport, signUp, ports } = openWorker()
  const run = ports.unitOfWork.run
  let failures = 0
  Object.assign(ports.unitOfWork, {
    run: (work: Parameters<typeof run>[0]) => (failures++ < 2 ? Promise.reject(new Error('no disk')) : run(work)),
  })
  worker.start()
  await idle()
  Object.assign(ports.unitOfWork, { run })
  await signUp(1)
  outboxSignal.notify()
  await sent(transport, 1)
  await worker.stop()
})

it('stops at once when it has nothing to do', async () => {
  const { worker } = openWorker()
  worker.start()
  await idle()
  // And not when the second is over, which it never is here.
  await worker.stop()
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  [0.5, 10],
  [0.95, 100],
])('waits for quiet where the event loop is in use for %d of its time', async (utilization, milliseconds) => {
  vi.spyOn(perfHooks.performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 0, utilization })
  const server = new EventEmitter()
  const requests = new RequestsInFlight(server as unknown as Server)
  server.emit('request', {}, new EventEmitter())
  let over = false
  const waiting = requests.idle(10, 100).then(() => {
    over = true
  })
  await vi.advanceTimersByTimeAsync(milliseconds - 1)
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
})
