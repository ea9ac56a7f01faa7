import { setTimeout as sleep } from 'node:timers/promises'
import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { Bell } from '../src/workers/bell.ts'
import { OutboxWorker } from '../src/workers/outbox-worker.ts'

const source = { via: 'form', clientAddress: undefined, userAgent: undefined }

const openWorker = (requests = { any: false }) => {
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
  const { worker, transport, signUp } = openWorker({ any: true })
  await signUp(40)
  const began = performance.now()
  worker.start()
  expect(await sent(transport, 40, 20_000)).toBe(true)
  // Timers may be early by a millisecond.
  expect(performance.now() - began).toBeGreaterThanOrEqual(40 * 4)
  await worker.stop()
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
