import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { Bell } from '../src/workers/bell.ts'
import { OutboxWorker } from '../src/workers/outbox-worker.ts'
import { RequestsUnderway } from '../src/workers/requests-underway.ts'

const source = { via: 'form', clientAddress: undefined, userAgent: undefined }

const QUIET = { any: false, quiet: async () => {} }

const openWorker = (requests: Pick<RequestsUnderway, 'any' | 'quiet'> = QUIET) => {
  const service = openMemoryService()
  const bell = new Bell()
  const worker = new OutboxWorker({
    deliver: service.useCases.deliverOutbox,
    bell,
    metrics: NO_SERVICE_METRICS,
    log: silentLog,
    requests,
  })
  const signUp = async (count: number, prefix = 'p'): Promise<void> => {
    for (let n = 0; n < count; n++)
      await service.useCases.subscribe.execute({ email: `${prefix}${n}@example.com`, source })
  }
  return { ...service, bell, worker, signUp }
}

const sent = async (transport: { mails: readonly unknown[] }, count: number, within: number): Promise<boolean> => {
  for (const end = Date.now() + within; transport.mails.length < count; await sleep(5))
    if (Date.now() > end) return false
  return true
}

it('sends at once when the bell rings', async () => {
  const { worker, bell, transport, signUp } = openWorker()
  worker.start()
  await sleep(50)
  await signUp(1)
  bell.ring()
  expect(await sent(transport, 1, 500)).toBe(true)
  await worker.stop()
})

it('finds without a ring what another process has left', async () => {
  const { worker, transport, signUp } = openWorker()
  worker.start()
  await sleep(50)
  await signUp(1)
  expect(await sent(transport, 1, 3_000)).toBe(true)
  await worker.stop()
})

it('works off more than one round of a backlog', async () => {
  const { worker, transport, signUp } = openWorker()
  await signUp(250)
  worker.start()
  expect(await sent(transport, 250, 5_000)).toBe(true)
  await worker.stop()
})

it('gives way before each mail while requests are being answered, and sends them all the same', async () => {
  const gaveWay: number[] = []
  const quiet = async (atMost: number) => {
    gaveWay.push(atMost)
  }
  const { worker, transport, signUp } = openWorker({ any: true, quiet })
  await signUp(40)
  worker.start()
  expect(await sent(transport, 40, 20_000)).toBe(true)
  await worker.stop()
  expect(gaveWay).toEqual(Array(40).fill(50))
})

it('counts a request from its beginning to the end of its answer, and finds quiet when none has followed', async () => {
  const server = new EventEmitter()
  const requests = new RequestsUnderway(server as unknown as Server)
  expect(requests.any).toBe(false)
  await requests.quiet(1e6)
  const begin = () => {
    const response = new EventEmitter()
    server.emit('request', {}, response)
    return () => response.emit('close')
  }
  const [endFirst, endSecond] = [begin(), begin()]
  expect(requests.any).toBe(true)
  await requests.quiet(1)
  let quiet = false
  const waiting = requests.quiet(1e6).then(() => {
    quiet = true
  })
  endFirst()
  await Promise.resolve()
  endSecond()
  const endThird = begin()
  await sleep(20)
  expect([requests.any, quiet]).toEqual([true, false])
  endThird()
  await waiting
  expect(requests.any).toBe(false)
})

it('is held up neither by a mail that takes long nor by the end of its round', async () => {
  const { worker, transport, bell, signUp } = openWorker()
  let letGo = () => {}
  transport.otherSide = ({ to }) =>
    to.startsWith('slow') ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve()
  await signUp(1, 'slow')
  await signUp(120)
  worker.start()
  expect(await sent(transport, 120, 5_000)).toBe(true)
  await signUp(1, 'late')
  bell.ring()
  expect(await sent(transport, 121, 5_000)).toBe(true)
  const stopped = worker.stop()
  letGo()
  await stopped
  expect(transport.mails).toHaveLength(122)
})

it('goes on when a round fails', async () => {
  const { worker, bell, transport, signUp, ports } = openWorker()
  const run = ports.unitOfWork.run
  let failures = 0
  Object.assign(ports.unitOfWork, {
    run: (work: Parameters<typeof run>[0]) => (failures++ < 2 ? Promise.reject(new Error('no disk')) : run(work)),
  })
  worker.start()
  await sleep(50)
  Object.assign(ports.unitOfWork, { run })
  await signUp(1)
  bell.ring()
  expect(await sent(transport, 1, 5_000)).toBe(true)
  await worker.stop()
})

it('stops at once when it has nothing to do', async () => {
  const { worker } = openWorker()
  worker.start()
  await sleep(50)
  const before = performance.now()
  await worker.stop()
  expect(performance.now() - before).toBeLessThan(500)
})
