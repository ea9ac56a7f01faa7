import { once } from 'node:events'
import { Agent } from 'node:http'
import net, { type Socket } from 'node:net'
import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { announceDeparture, createHttpServer, drain } from '../src/index.ts'
import { type OpenServer, openServer, startServer } from './support/open-server.ts'
import { answersIn, openSocket } from './support/raw.ts'

/** Milliseconds: a wait of this length means that something does not end. */
const NEVER = 110_000

/** Nothing else happens in this thread, as on a machine that is busy. */
const block = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

describe('the server', () => {
  const read = async (socket: Socket): Promise<string> => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    await once(socket, 'close')
    return text
  }
  /** A use case that waits until it is released. */
  const held = (server: OpenServer) => {
    const { getUser } = server.useCases
    const execute = getUser.execute.bind(getUser)
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    getUser.execute = async (...args) => {
      begin()
      await promise
      return await execute(...args)
    }
    return { release, begun }
  }

  it('has finite limits on time and size', () => {
    const server = createHttpServer({ publicUrl: 'https://x' } as never)
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, server.timeout]).toEqual([
      15_000, 30_000, 65_000, 75_000,
    ])
  })

  it('answers a file with a broken chunk with one complete response', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    const [answer] = answersIn(
      await server.raw(
        `POST /subscriptions/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
          'Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nemail\n\r\nZZ\r\n',
      ),
    )
    expect(answer?.head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer?.head).not.toMatch(/transfer-encoding/i)
    expect(JSON.parse(answer!.body).error).toBe('MalformedRequest')
  })

  it('serves others while 500 connections are silent and 500 have sent half a request', async () => {
    const server = await openServer()
    const sockets = await Promise.all(Array.from({ length: 1_000 }, () => openSocket(server.port)))
    for (const socket of sockets.slice(500)) socket.write('POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Le')
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.request('GET', '/readyz')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    for (const socket of sockets) socket.destroy()
  })

  it('serves others while one client sends requests and never reads', async () => {
    const server = await openServer()
    const socket = await openSocket(server.port)
    socket.pause()
    const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
    for (let i = 0; i < 200; i++) socket.write(request)
    for (let i = 0; i < 5; i++) expect((await server.request('GET', '/livez')).status).toBe(200)
    socket.destroy()
  })

  it('reports not ready once its departure is announced, and serves everything else as before', async () => {
    const server = await openServer()
    announceDeparture(server.server)
    const answers = await Promise.all(
      ['/readyz', '/readyz?', '/livez', '/.well-known/jwks.json'].map((path) => server.request('GET', path)),
    )
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200, 200])
    expect(answers[0]?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
  })

  it('finishes what is in flight when it is drained, and closes that connection', async () => {
    const server = await openServer()
    const { release, begun } = held(server)
    const token = await server.token('root', 'admin')
    const agent = new Agent({ keepAlive: true })
    const answer = server.request('GET', '/users/1', { token, agent })
    await begun
    const drained = drain(server.server, NEVER)
    await sleep(20)
    release()
    expect((await answer).status).toBe(404)
    expect((await answer).headers.connection).toBe('close')
    expect(await drained).toBe(true)
    agent.destroy()
  })

  it('answers requests sent before draining was announced, and closes their connections', async () => {
    const server = await openServer()
    const agent = new Agent({ keepAlive: true })
    await server.request('GET', '/livez', { agent })
    const drained = drain(server.server, NEVER)
    const late = await server.request('GET', '/livez', { agent })
    expect([late.status, late.headers.connection]).toEqual([200, 'close'])
    expect(await drained).toBe(true)
    agent.destroy()
  })

  it.each([
    // The kernel establishes them all, while the server, which is in this thread, cannot accept any.
    ['before', 200, 0],
    ['once draining has begun', 0, 600],
  ])('resets no connection that was there, however long the thread is held up %s', async (_, before, after) => {
    const server = await openServer()
    const asking = Array.from({ length: 100 }, () => server.request('GET', '/livez'))
    await new Promise<void>((resolve) => process.nextTick(resolve))
    block(before)
    const drained = drain(server.server, NEVER)
    block(after)
    expect((await Promise.all(asking)).map(({ status }) => status)).toEqual(asking.map(() => 200))
    expect(await drained).toBe(true)
  })

  it('answers what had come by the end of the grace, also if it could not be read before', async () => {
    const server = await openServer()
    const socket = net.connect({ port: server.port, host: '127.0.0.1' })
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    const drained = drain(server.server, NEVER)
    while (server.server.listening) await nextTurnOfTheLoop()
    await nextTurnOfTheLoop()
    const stream = read(socket)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    block(450)
    const [answer] = answersIn(await stream)
    expect([answer?.status, /\r\nConnection: close/.test(answer?.head ?? '')]).toEqual([200, true])
    expect(await drained).toBe(true)
  })

  it('refuses new work once it is drained: 503 on an open connection, and no new connection', async () => {
    const server = await openServer()
    const { release, begun } = held(server)
    const token = await server.token('root', 'admin')
    const socket = await openSocket(server.port)
    const stream = read(socket)
    const half = await openSocket(server.port)
    const halfStream = read(half)
    half.write('GET /readyz HTTP/1.1\r\nHo')
    socket.write(`GET /users/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await begun
    const drained = drain(server.server, NEVER)
    await sleep(400)
    half.write('st: x\r\n\r\n')
    const [refused] = answersIn(await halfStream)
    expect([refused?.status, JSON.parse(refused!.body).error]).toEqual([503, 'Unavailable'])
    expect(refused?.head).toMatch(/\r\nRetry-After: \d+\r\n/)
    expect(refused?.head).toMatch(/\r\nConnection: close/)
    await expect(openSocket(server.port)).rejects.toThrow()
    release()
    expect(answersIn(await stream).map(({ status }) => status)).toEqual([404])
    expect(await drained).toBe(true)
  })

  it('does not wait for silent connections', async () => {
    const server = await openServer()
    const silent = await openSocket(server.port)
    const agent = new Agent({ keepAlive: true })
    await server.request('GET', '/livez', { agent })
    expect(await drain(server.server, NEVER)).toBe(true)
    silent.destroy()
    agent.destroy()
  })

  it('cuts off open requests at the deadline, and reports it', async () => {
    const server = await openServer()
    const { begun, release } = held(server)
    const answer = server.request('GET', '/users/1', { token: await server.token('root', 'admin') })
    const failed = expect(answer).rejects.toThrow()
    await begun
    expect(await drain(server.server, 50)).toBe(false)
    await failed
    release()
  })
})

// Node looks for slow requests once a second, of all servers at once.
describe.concurrent('the server', () => {
  const impatient = async () => {
    const server = await startServer({}, (it) => {
      it.headersTimeout = 100
      it.requestTimeout = 200
    })
    return { raw: server.raw, [Symbol.asyncDispose]: server.close }
  }

  const POST = 'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n'

  it.each([
    ['slow headers', 'GET /livez HTTP/1.1\r\nHos', 408, 'RequestTimeout'],
    ['a slow body', `${POST}Content-Type: application/json\r\n\r\n{`, 408, 'RequestTimeout'],
    ['an early refusal whose body never came', `${POST}Content-Type: text/plain\r\n\r\n{`, 415, 'UnsupportedMediaType'],
  ])('answers %s once, and closes', async (_, bytes, expected, error) => {
    await using server = await impatient()
    const answers = answersIn(await server.raw(bytes))
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).error])).toEqual([[expected, error]])
  })
})
