import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { MailRefusedPermanently, MailUnanswered, MailWithdrawn } from '@rollcall/core'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createThreadedSmtpTransport, RelayTrouble } from '../src/index.ts'
import { SmtpThread } from '../src/smtp-thread.ts'
import { confirmation, SETTINGS } from './mails.ts'

const CRASHES = "require('node:worker_threads').parentPort.on('message', () => { throw new Error('on purpose') })"
const CRASHES_LATER = `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ([{ id, state }]) => {
    if (!state) throw new Error('on purpose')
    parentPort.postMessage([{ id, asks: true }])
  })`
const ENDS_AFTER_ASKING = `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ([{ id }]) => {
    parentPort.postMessage([{ id, asks: true }])
    setImmediate(() => { throw new Error('on purpose') })
  })`
/** Begins every mail at once, and ends those that are quick a moment later. */
const BEGINS = `const { parentPort, workerData } = require('node:worker_threads')
  parentPort.on('message', (orders) => {
    if (orders === 'close') return parentPort.close()
    for (const { id, mail, state } of orders) {
      Atomics.store(state, 0, 2)
      Atomics.add(workerData, 0, 1)
      if (mail.messageId === 'quick') setTimeout(() => parentPort.postMessage([{ id }]), 200)
    }
  })`
const ANSWERS = `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', (orders) => {
    if (orders === 'close') parentPort.close()
    else if (orders.some(({ mail }) => mail === undefined)) throw new Error('an answer to nothing')
    else parentPort.postMessage(orders.map(({ id }) => ({ id })))
  })`
const REFUSES = `const { parentPort } = require('node:worker_threads')
  const failures = ['refused', 'unanswered', 'trouble', 'defect']
  parentPort.on('message', (orders) => {
    if (orders === 'close') parentPort.close()
    else parentPort.postMessage(orders.map(({ id }) => ({ id, failure: { kind: failures.shift(), name: 'TypeError', message: 'why' } })))
  })`

const closing: SmtpThread[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const thread of closing.splice(0)) await thread.close()
})

const threadOf = (...programs: string[]) => {
  const clock = { now: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  const crashes: unknown[] = []
  let started = 0
  const thread = new SmtpThread({
    smtp: { ...SETTINGS, url: 'smtp://127.0.0.1' },
    onCrash: (error) => crashes.push(error),
    start: () => new Worker(programs[Math.min(started++, programs.length - 1)] ?? '', { eval: true }),
  })
  closing.push(thread)
  return { thread, clock, crashes, started: () => started }
}

const isDue = async () => true

it('fails what a thread that crashes was sending, reports it, and begins another after a pause', async () => {
  const { thread, clock, crashes, started } = threadOf(CRASHES, ANSWERS)
  await expect(thread.send(confirmation(), isDue)).rejects.toThrow(RelayTrouble)
  expect(crashes).toMatchObject([{ message: 'on purpose' }])
  clock.now = 999
  await expect(thread.send(confirmation())).rejects.toThrow(RelayTrouble)
  expect(started()).toBe(1)
  clock.now = 1_000
  await thread.send(confirmation())
  expect(started()).toBe(2)
})

it('says that a mail may have arrived if its thread crashes once it was begun', async () => {
  const [asked, unasked] = [threadOf(CRASHES_LATER), threadOf(CRASHES_LATER)]
  await expect(asked.thread.send(confirmation(), isDue)).rejects.toThrow(MailUnanswered)
  await expect(unasked.thread.send(confirmation())).rejects.toThrow(MailUnanswered)
})

it('hands over no answer to a thread that has ended meanwhile, nor to the one after it', async () => {
  const { thread, clock, started } = threadOf(ENDS_AFTER_ASKING, ANSWERS)
  const due = Promise.withResolvers<boolean>()
  const asked = thread.send(confirmation(), () => due.promise)
  await expect(asked).rejects.toThrow(RelayTrouble)
  clock.now = 1_000
  due.resolve(true)
  // One of these comes in the same turn as the answer.
  const sent: Promise<void>[] = []
  for (let turn = 0; turn < 10; turn++) {
    sent.push(thread.send(confirmation()))
    await undefined
  }
  await Promise.all(sent)
  expect(started()).toBe(2)
})

it('waits longer from crash to crash, a minute at most', async () => {
  const { thread, clock, started } = threadOf(CRASHES)
  for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const before = started()
    await expect(thread.send(confirmation(), isDue)).rejects.toThrow(RelayTrouble)
    expect(started()).toBe(before + 1)
    clock.now += pause * 1_000 - 1
    await expect(thread.send(confirmation())).rejects.toThrow(RelayTrouble)
    expect(started()).toBe(before + 1)
    clock.now += 1
  }
})

it('passes on what went wrong', async () => {
  const { thread } = threadOf(REFUSES)
  await expect(thread.send(confirmation())).rejects.toThrow(new MailRefusedPermanently('why'))
  await expect(thread.send(confirmation())).rejects.toThrow(new MailUnanswered('why'))
  await expect(thread.send(confirmation())).rejects.toThrow(new RelayTrouble('why'))
  await expect(thread.send(confirmation())).rejects.toMatchObject({ name: 'TypeError', message: 'why' })
})

/** A relay in a thread, which counts the mails that it has taken. */
const RELAY = `const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((socket) => {
    let inMail = false
    let mail = ''
    socket.write('220 ready\\r\\n')
    socket.setEncoding('latin1').on('data', (text) => {
      if (inMail) {
        mail += text
        if (!mail.endsWith('\\r\\n.\\r\\n')) return
        inMail = false
        mail = ''
        Atomics.add(workerData, 0, 1)
        Atomics.notify(workerData, 0)
      } else if (/^DATA/i.test(text)) {
        inMail = true
        return socket.write('354 go on\\r\\n')
      }
      socket.write('250 yes\\r\\n')
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

const SOON = 20_000

it('sends without a single turn of the loop that asks for it', async () => {
  const taken = new Int32Array(new SharedArrayBuffer(4))
  const relay = new Worker(RELAY, { eval: true, workerData: taken })
  const [port] = await once(relay, 'message')
  const transport = createThreadedSmtpTransport({ ...SETTINGS, url: `smtp://127.0.0.1:${port}` }, (error) => {
    throw error
  })
  // With the first one the thread begins.
  await transport.send(confirmation())
  const sending = transport.send(confirmation())
  // Orders of one turn go together at its end.
  await Promise.resolve()
  expect(Atomics.wait(taken, 0, 1, SOON)).not.toBe('timed-out')
  await sending
  await transport.close()
  await relay.terminate()
})

it('begins no mail that is forgotten after it was said to be due', async () => {
  const taken = new Int32Array(new SharedArrayBuffer(4))
  const relay = new Worker(RELAY, { eval: true, workerData: taken })
  const [port] = await once(relay, 'message')
  const thread = new SmtpThread({ smtp: { ...SETTINGS, url: `smtp://127.0.0.1:${port}` }, onCrash: () => {} })
  closing.push(thread)
  const [one, other] = [confirmation(), { ...confirmation(), messageId: 'other@rollcall.example' }]
  const isDueAndForgotten = async () => {
    await thread.forget([one.messageId])
    return true
  }
  await expect(thread.send(one, isDueAndForgotten)).rejects.toThrow(MailWithdrawn)
  expect(Atomics.load(taken, 0)).toBe(0)
  await thread.send(other, isDueAndForgotten)
  expect(Atomics.load(taken, 0)).toBe(1)
  await relay.terminate()
})

it('waits for a mail that is being sent as it is forgotten, but not for long', async () => {
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const thread = new SmtpThread({
    smtp: { ...SETTINGS, url: 'smtp://127.0.0.1' },
    onCrash: () => {},
    start: () => new Worker(BEGINS, { eval: true, workerData: begun }),
  })
  closing.push(thread)
  const ended: string[] = []
  const send = async (messageId: string) => {
    await thread.send({ ...confirmation(), messageId }, isDue)
    ended.push(messageId)
  }
  const sending = ['quick', 'stuck'].map(send)
  await expect.poll(() => Atomics.load(begun, 0)).toBe(2)
  await thread.forget(['quick', 'unheard-of'])
  expect(ended).toEqual(['quick'])
  await thread.forget(['stuck'])
  expect(ended).toEqual(['quick'])
  await thread.close()
  await expect(sending[1]).rejects.toThrow(RelayTrouble)
})

/** The thread itself, with a server of names that never answers. */
const asking = (port: number): string => `const dns = require('node:dns')
  dns.Resolver = class extends dns.Resolver {
    constructor(options) {
      super(options)
      this.setServers(['127.0.0.1:${port}'])
    }
  }
  import(${JSON.stringify(new URL('../src/smtp-worker.ts', import.meta.url).href)})`

it('ends at once although the name of the relay is being looked up', async () => {
  const names = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void names.close())
  await once(names, 'listening')
  const thread = new SmtpThread({
    smtp: { ...SETTINGS, url: 'smtp://relay.example', timeouts: { connect: SOON } },
    onCrash: () => {},
    start: (workerData) => new Worker(asking(names.address().port), { eval: true, workerData }),
  })
  closing.push(thread)
  const sending = thread.send(confirmation())
  sending.catch(() => undefined)
  await once(names, 'message')
  const begin = performance.now()
  await thread.close()
  expect(performance.now() - begin).toBeLessThan(SOON / 2)
  await expect(sending).rejects.toThrow(RelayTrouble)
})

it('begins no thread without a mail', async () => {
  const { thread, started } = threadOf(ANSWERS)
  await thread.close()
  expect(started()).toBe(0)
})
