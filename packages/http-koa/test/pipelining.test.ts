import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { readInSlices } from '../src/server/read-in-slices.ts'
import { inTurn } from '../src/server/request-queue.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { answersIn, openSocket } from './support/raw.ts'

const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const LIVENESS = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('a connection with many requests at once', () => {
  const opened: OpenServer[] = []
  const open = async (...args: Parameters<typeof openServer>): Promise<OpenServer> => {
    const server = await openServer(...args)
    opened.push(server)
    return server
  }
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close()
  })

  /** A server, and how often each route has answered. */
  const openCounting = async () => {
    const counts = { document: 0, liveness: 0 }
    const server = await open({
      observer: {
        answered: (route) => {
          if (route === '/openapi.json') counts.document++
          if (route === '/livez') counts.liveness++
        },
      },
    })
    return { server, counts }
  }
  const textOf = async (socket: Socket): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    return Buffer.concat(chunks).toString('latin1')
  }

  it('has a few of them in hand, and gets all answers in order', async () => {
    const server = await open()
    const { getUser } = server.useCases
    const execute = getUser.execute.bind(getUser)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let inHand = 0
    let most = 0
    getUser.execute = async (...args) => {
      most = Math.max(most, ++inHand)
      begin()
      await released
      inHand--
      return await execute(...args)
    }
    const token = await server.token('root', 'admin')
    const requests = Array.from(
      { length: 50 },
      (_, i) => `GET /users/${i} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${i}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    )
    const answers = server.raw(requests.join('') + LAST)
    await begun
    for (let i = 0; i < 20; i++) expect((await server.request('GET', '/livez')).status).toBe(200)
    release()
    const ids = answersIn(await answers).map(({ head }) => /\r\nX-Request-Id: (.*)\r\n/i.exec(head)?.[1])
    expect(ids.slice(0, 50)).toEqual(requests.map((_, i) => `${i}`))
    expect(ids).toHaveLength(51)
    expect(most).toBeLessThanOrEqual(4)
  })

  it('lets others be served between its requests', async () => {
    const { server, counts } = await openCounting()
    const many = await openSocket(server.port)
    const one = await openSocket(server.port)
    const answers = textOf(many)
    const answer = once(one, 'data')
    many.write(DOCUMENT.repeat(400) + LAST)
    one.write(LIVENESS)
    await answer
    expect(counts.document).toBeLessThan(200)
    expect(answersIn(await answers)).toHaveLength(401)
    one.destroy()
  })

  it('is served no further while it does not read its answers', async () => {
    const { server, counts } = await openCounting()
    const socket = await openSocket(server.port)
    socket.pause()
    const ASKED = 1_000
    socket.write(DOCUMENT.repeat(ASKED) + LAST)
    // The system holds some megabytes of answers; once it takes no more, nothing happens on this connection.
    for (let unchanged = 0, before = -1; unchanged < 20 && counts.document < ASKED; before = counts.document) {
      await server.request('GET', '/livez')
      unchanged = counts.document === before ? unchanged + 1 : 0
    }
    expect(counts.document).toBeGreaterThan(0)
    expect(counts.document).toBeLessThan(ASKED)
    expect(answersIn(await textOf(socket))).toHaveLength(ASKED + 1)
  })

  it('is answered completely if the client half-closes it, or sends the end of a body late', async () => {
    const server = await open()
    const form = 'email=many%40example.com'
    const head = `Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}`
    const subscribe = `POST /subscribe HTTP/1.1\r\n${head}\r\n\r\n${form}`
    const many = (subscribe + DOCUMENT).repeat(20)
    const expected = Array.from({ length: 41 }, () => 200)
    const halfClosed = await openSocket(server.port, true)
    halfClosed.end(many + LIVENESS)
    expect(answersIn(await textOf(halfClosed)).map(({ status }) => status)).toEqual(expected)
    const late = await server.raw([many + subscribe.slice(0, -5), subscribe.slice(-5), LAST])
    expect(answersIn(late).map(({ status }) => status)).toEqual([...expected, 200])
  })

  it('waits with what Node may not read yet: an answer that the client has not taken', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024)
    const server = createServer(
      inTurn((req, res) => {
        res.end(req.url === '/large' ? large : 'small')
      }),
    )
    server.on('connection', readInSlices)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = await openSocket((server.address() as AddressInfo).port)
    let received = 0
    let isFirst = true
    const first = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        received += chunk.length
        if (!isFirst || received < large.length) return
        isFirst = false
        socket.pause()
        resolve()
      })
    })
    const REQUEST = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(REQUEST.repeat(5))
    await first
    socket.write(LAST)
    // Both halves run in this process: the server has what was written after some turns of the loop.
    for (let turn = 0; turn < 50; turn++) await nextTurnOfTheLoop()
    socket.resume()
    await once(socket, 'close')
    expect(received).toBeGreaterThan(5 * large.length)
    server.close()
  })

  it('is served to its end, then refused, if something that is not a request follows', async () => {
    const server = await open()
    const answers = answersIn(await server.raw(`${DOCUMENT.repeat(30)}garbage\r\n\r\n`))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 200), 400])
  })

  it('has no request served behind one that closes it', async () => {
    const { server, counts } = await openCounting()
    const broken = 'GET http://user@x/ HTTP/1.1\r\nHost: x\r\n\r\n'
    const answers = answersIn(await server.raw(broken + LIVENESS.repeat(100)))
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(counts.liveness).toBeLessThan(10)
  })
})
