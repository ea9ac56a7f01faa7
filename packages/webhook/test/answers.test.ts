import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { inspect } from 'node:util'
import { answerOf, WebhookGone, WebhookRefused } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aMessage, receiverFor, transportFor } from './cast.ts'
import { type Answer, status } from './receiver.ts'

const outcomeOf = async (answer: Answer, timeouts = { connect: 5_000, answer: 5_000 }): Promise<unknown> => {
  const receiver = await receiverFor()
  receiver.answerNext(answer)
  const outcome = await transportFor({ timeouts })
    .send(aMessage(receiver.url))
    .catch((error: unknown) => error)
  expect(receiver.received).toHaveLength(1)
  return outcome
}

/** A server that handles each connection as scripted. */
const tcpServer = async (onConnection: Parameters<typeof createServer>[1]) => {
  const server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i says that it was taken', async (code) => {
    expect(await outcomeOf(status(code))).toMatchObject({ status: code })
  })

  it('is known by its beginning, also where the message was not taken, and not by what logs show of the error', async () => {
    const said =
      (code: number): Answer =>
      (response) =>
        response.writeHead(code).end('x '.repeat(50_000))
    expect(await outcomeOf(said(200))).toMatchObject({ head: 'x '.repeat(500) })
    const refusal = await outcomeOf(said(500))
    expect(answerOf(refusal)).toMatchObject({ status: 500, head: 'x '.repeat(500) })
    expect(inspect(refusal, { showHidden: true })).not.toContain('x x x')
  })

  it.each<[what: string, said: Answer, head: string]>([
    ['too long', (response) => response.end(`${'x'.repeat(995)} Lovelace`), `${'x'.repeat(995)} `],
    ['too slow', (response) => response.write('of Lovel'), 'of '],
    ['neither', (response) => response.end('of Lovelace'), 'of Lovelace'],
  ])('has no word that was cut in its beginning, where it is %s', async (_, said, head) => {
    expect(await outcomeOf(said)).toMatchObject({ head })
  })

  it.each([400, 401, 404, 408, 422, 429, 500, 502, 503])('of %i is worth another try', async (code) => {
    const refusal = await outcomeOf(status(code))
    expect(refusal).toBeInstanceOf(WebhookRefused)
    expect(refusal).toMatchObject({ message: `The target answered ${code}.`, status: code, retryAfter: undefined })
  })

  it('of 410 says that nothing more is wanted', async () => {
    expect(await outcomeOf(status(410))).toBeInstanceOf(WebhookGone)
  })

  it.each([301, 302, 303, 307, 308])('of %i is not followed', async (code) => {
    const elsewhere = await receiverFor()
    const refusal = await outcomeOf(status(code, { Location: elsewhere.url }))
    expect(refusal).toMatchObject({ message: `The target answered ${code}, and no redirect is followed.` })
    expect(elsewhere.received).toEqual([])
  })

  it('may say when to come again: in seconds, or by a date', async () => {
    const retryAfter = async (field: string) =>
      ((await outcomeOf(status(503, { 'Retry-After': field }))) as WebhookRefused).retryAfter
    expect(await retryAfter('120')).toBe(120_000)
    const date = new Date(Date.now() + 3_600_000).toUTCString()
    const wait = (await retryAfter(date)) ?? 0
    expect(wait).toBeGreaterThan(3_000_000)
    expect(wait).toBeLessThanOrEqual(3_600_000)
    expect(await retryAfter('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0)
    for (const field of ['soon', '-1', '1e3', '']) expect(await retryAfter(field)).toBeUndefined()
  })

  it('may say when by a clock of its own, which is wrong', async () => {
    const aYearAgo = Date.now() - 365 * 86_400_000
    const [sent, date] = [aYearAgo, aYearAgo + 60_000].map((time) => new Date(time).toUTCString())
    const refused = await outcomeOf(status(429, { Date: sent!, 'Retry-After': date! }))
    expect((refused as WebhookRefused).retryAfter).toBe(60_000)
  })

  it('counts when it has begun, however its body goes on', async () => {
    const endless: Answer = (response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(more))
    }
    const never: Answer = (response) => {
      response.writeHead(200).write('x')
    }
    const cut: Answer = (response) => {
      response.writeHead(200, { 'Content-Length': '1000' }).write('x')
      setTimeout(() => response.destroy(), 20)
    }
    for (const answer of [endless, never, cut]) expect(await outcomeOf(answer)).toMatchObject({ status: 200 })
  })

  it('that never ends keeps no connection from others', async () => {
    const receiver = await receiverFor()
    const transport = transportFor()
    receiver.answerAll((response) => response.writeHead(200).write('x'))
    await Promise.all(Array.from({ length: transport.concurrency + 5 }, () => transport.send(aMessage(receiver.url))))
    receiver.answerAll(status(204))
    await transport.send(aMessage(receiver.url))
    expect(receiver.received).toHaveLength(transport.concurrency + 6)
  })

  it('that says nothing that a failure would repeat', async () => {
    const chatty: Answer = (response) => response.writeHead(500, 'ada@example.com').end('ada@example.com')
    expect(String(await outcomeOf(chatty))).not.toContain('ada')
  })

  it('that does not come is not waited for for ever', async () => {
    const refusal = await outcomeOf(() => undefined, { connect: 1_000, answer: 50 })
    expect(refusal).toMatchObject({ name: 'WebhookRefused', message: 'The target gave no answer within 0.05 s.' })
  })

  it('that is not HTTP is worth another try', async () => {
    for (const reply of ['', 'HTTP/1.1 2', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', 'HTTP/9.9 200 OK\r\n\r\n']) {
      const url = await tcpServer((socket) => {
        socket.on('error', () => undefined)
        socket.end(reply)
      })
      await expect(transportFor().send(aMessage(url)), reply).rejects.toThrow()
    }
  })

  it.each(['', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'])(
    'that switches protocols is worth another try: %j',
    async (fields) => {
      const url = await tcpServer((socket) => {
        socket.on('error', () => undefined)
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${fields}\r\n`)
      })
      const timeouts = { connect: 1_000, answer: 500 }
      await expect(transportFor({ timeouts }).send(aMessage(url))).rejects.toMatchObject({ name: 'WebhookRefused' })
    },
  )

  it('with endless headers is not read to the end', async () => {
    const url = await tcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = setInterval(() => socket.write(`X-${Math.random()}: ${'x'.repeat(10_000)}\r\n`), 1)
      socket.on('close', () => clearInterval(more))
    })
    await expect(transportFor().send(aMessage(url))).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' })
  })
})

describe('a connection', () => {
  it('that is refused is worth another try', async () => {
    const { url, close } = await receiverFor()
    await close()
    await expect(transportFor().send(aMessage(url))).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('that does not come about is not waited for for ever', async () => {
    const resolve = () => undefined
    const transport = transportFor({ resolve, timeouts: { connect: 50, answer: 60_000 } })
    await expect(transport.send(aMessage('http://hooks.example/'))).rejects.toThrow(
      'The target could not be reached within 0.05 s.',
    )
  })

  it('takes one look-up of the name for all messages that wait for it', async () => {
    const questions: string[] = []
    const transport = transportFor({
      resolve: (host, _options, done) => {
        questions.push(host)
        setTimeout(() => done(new Error('no answer'), []), 50)
      },
    })
    await Promise.allSettled(Array.from({ length: 20 }, () => transport.send(aMessage('https://hooks.example/'))))
    expect(questions).toEqual(['hooks.example'])
  })

  it('is used for several messages', async () => {
    const receiver = await receiverFor()
    const ports = new Set<number | undefined>()
    receiver.server.on('connection', ({ remotePort }) => ports.add(remotePort))
    const transport = transportFor()
    for (let n = 0; n < 5; n++) await transport.send(aMessage(receiver.url))
    expect(ports.size).toBe(1)
  })

  it('that was kept and is gone is replaced: the message arrives', async () => {
    const receiver = await receiverFor()
    const transport = transportFor()
    await transport.send(aMessage(receiver.url))
    receiver.answerNext((response) => response.socket?.resetAndDestroy())
    await transport.send(aMessage(receiver.url))
    expect(receiver.received).toHaveLength(3)
  })

  it('that a target is silent on, or that was kept, is broken off when all is closed, and none is made any more', async () => {
    const receiver = await receiverFor()
    const transport = transportFor()
    await transport.send(aMessage(receiver.url))
    const arrival = Promise.withResolvers<void>()
    receiver.answerNext(() => arrival.resolve())
    const sending = transport.send(aMessage(receiver.url))
    await arrival.promise
    const brokenOff = { name: 'AbortError' }
    await Promise.all([expect(sending).rejects.toMatchObject(brokenOff), transport.close()])
    await expect(transport.send(aMessage(receiver.url))).rejects.toMatchObject(brokenOff)
    expect(receiver.received).toHaveLength(2)
  })
})
