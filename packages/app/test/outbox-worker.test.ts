import { openMemoryService } from '@rollcall/core/memory'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silentLog } from '../src/log.ts'
import { NO_SERVICE_METRICS } from '../src/metrics/service-metrics.ts'
import { outboxWorker } from '../src/workers/outbox-worker.ts'
import { eventually } from './eventually.ts'

const source = { via: 'form', clientAddress: undefined, userAgent: undefined }

const openWorker = ({ keepsMails = false } = {}) => {
  const service = openMemoryService()
  const worker = outboxWorker({
    deliver: service.useCases.deliverOutbox,
    transport: { keepsMails },
    metrics: NO_SERVICE_METRICS,
    log: silentLog,
  })
  const signUp = async (count: number, prefix = 'p'): Promise<void> => {
    for (let n = 0; n < count; n++)
      await service.useCases.subscribe.execute({ email: `${prefix}${n}@example.com`, source })
  }
  return { ...service, worker, signUp }
}

// A worker that waits does so until the test says that the time is over.
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

/** It waits for as long as it ever does. */
const wait = async (): Promise<void> => {
  await idle()
  await vi.advanceTimersByTimeAsync(1_000)
}

it('looks for mails by a beat of its own, by chance between 25 and 100 ms', async () => {
  const { worker } = openWorker()
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0)
  const timeout = vi.spyOn(globalThis, 'setTimeout')
  const beats: unknown[] = []
  worker.start()
  for (const next of [0.5, 1 - Number.EPSILON, 0]) {
    await idle()
    beats.push(timeout.mock.calls.at(-1)?.[1])
    chance.mockReturnValue(next)
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(beats).toEqual([25, 62.5, expect.closeTo(100)])
  await worker.stop()
})

it('is not hurried by a sign-up, and sends its mail within a beat', async () => {
  const { worker, transport, signUp } = openWorker()
  worker.start()
  await idle()
  await signUp(1)
  await vi.advanceTimersByTimeAsync(24)
  expect(transport.mails).toEqual([])
  await wait()
  await sent(transport, 1)
  await worker.stop()
})

it('works off a backlog without waiting for a beat', async () => {
  const { worker, transport, signUp } = openWorker()
  await signUp(250)
  worker.start()
  await sent(transport, 250)
  await worker.stop()
})

it('waits for a beat between rounds where the thread of the requests writes the mails', async () => {
  const { worker, transport, signUp } = openWorker({ keepsMails: true })
  await signUp(30)
  worker.start()
  await sent(transport, 20)
  await idle()
  expect(transport.mails).toHaveLength(20)
  await wait()
  await sent(transport, 30)
  await worker.stop()
})

it('is held up neither by a mail that takes long nor by the end of its round', async () => {
  const { worker, transport, signUp } = openWorker()
  let letGo = () => {}
  transport.otherSide = ({ to }) =>
    to.startsWith('slow') ? new Promise((resolve) => (letGo = resolve)) : Promise.resolve()
  await signUp(1, 'slow')
  await signUp(120)
  worker.start()
  await sent(transport, 120)
  await signUp(1, 'late')
  await wait()
  await sent(transport, 121)
  const stopped = worker.stop()
  letGo()
  await stopped
  expect(transport.mails).toHaveLength(122)
})

it('goes on when a round fails', async () => {
  const { worker, transport, signUp, ports } = openWorker()
  const run = ports.unitOfWork.run
  let failures = 0
  Object.assign(ports.unitOfWork, {
    run: (work: Parameters<typeof run>[0]) => (failures++ < 2 ? Promise.reject(new Error('no disk')) : run(work)),
  })
  worker.start()
  await idle()
  Object.assign(ports.unitOfWork, { run })
  await signUp(1)
  await wait()
  await sent(transport, 1)
  await worker.stop()
})

it('stops at once when it has nothing to do', async () => {
  const { worker } = openWorker()
  worker.start()
  await idle()
  // And not at the end of a beat, which never comes here.
  await worker.stop()
  expect(vi.getTimerCount()).toBe(0)
})
