import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { drain } from '../src/index.ts'
import { type OpenServer, openServer } from './support/open-server.ts'
import { answersIn } from './support/raw.ts'

const EXPECTATION = 'POST /subscribe HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 999999\r\n\r\n'
const CHUNKED =
  'POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

const closed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await once(socket, 'close')
}

describe('an answer that closes its connection', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A client that does not read before it wants to, and both ends of its connection. */
  const connect = async ({ server, port }: OpenServer) => {
    const accepted = once(server, 'connection') as Promise<[Socket]>
    const client = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    const [served] = await accepted
    const answered = once(served, 'finish')
    const chunks: Buffer[] = []
    const read = async (): Promise<string> => {
      client.on('data', (chunk) => chunks.push(chunk))
      await new Promise((resolve) => {
        if (client.closed) resolve(undefined)
        client.once('end', resolve).once('close', resolve)
      })
      return Buffer.concat(chunks).toString('latin1')
    }
    return { client, served, answered, errors, read }
  }

  it.each([
    ['417', EXPECTATION],
    ['431', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
    ['400', `${CHUNKED}ZZ\r\n`],
    ['405', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'],
    ['405', 'UNKNOWN / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['413', EXPECTATION.replace('something', '100-continue\r\nContent-Type: application/json')],
  ])('is not lost to a client that sends on: %s', async (status, request) => {
    const { client, answered, errors, read } = await connect(await openServer())
    client.write(request)
    await answered
    for (let turn = 0; turn < 100; turn++) {
      client.write('x')
      await nextTurnOfTheLoop()
    }
    const [answer] = answersIn(await read())
    expect([errors, String(answer?.status)]).toEqual([[], status])
    client.destroy()
  })

  it('has no request served behind it: not with it, not while the client has not seen it', async () => {
    const server = await openServer()
    const token = await server.token('root', 'admin')
    for (const id of ['1', '2', '3']) {
      const json = { email: `${id}@example.com`, name: '', roles: [] }
      expect((await server.request('PUT', `/users/${id}`, { token, json })).status).toBe(201)
    }
    const del = (id: string) => `DELETE /users/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const { client, served, answered, errors, read } = await connect(server)
    const broken = 'GET http://user@x/ HTTP/1.1\r\nHost: x\r\n\r\n'
    client.write(broken + del('1'))
    await answered
    const { bytesRead } = served
    client.write(del('2') + del('3'))
    while (served.bytesRead === bytesRead && !served.destroyed) await nextTurnOfTheLoop()
    expect(answersIn(await read()).map(({ status }) => status)).toEqual([400])
    client.end()
    await closed(served)
    for (const id of ['1', '2', '3'])
      expect([id, (await server.request('GET', `/users/${id}`, { token })).status]).toEqual([id, 200])
    expect(errors).toEqual([])
  })

  it.each([
    [
      'a graceful stop',
      async ({ server }: OpenServer) => {
        void drain(server, 100_000)
        while (server.listening) await nextTurnOfTheLoop()
        for (let passed = 0; passed < 600; passed += 50) {
          await nextTurnOfTheLoop()
          vi.advanceTimersByTime(50)
        }
        await nextTurnOfTheLoop()
      },
    ],
    [
      'a stop at its deadline',
      ({ server }: OpenServer) => {
        void drain(server, 10)
        vi.advanceTimersByTime(10)
      },
    ],
    ['the end of all connections', ({ server }: OpenServer) => server.closeAllConnections()],
  ])('does not hold up %s', async (_, stop) => {
    const server = await openServer()
    const { client, served, answered } = await connect(server)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    client.write(EXPECTATION)
    await answered
    expect(served.destroyed).toBe(false)
    await stop(server)
    expect(served.destroyed).toBe(true)
    client.destroy()
  })
})

describe('a request for a tunnel behind another request', () => {
  const TUNNEL = 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n'
  const subscriptions = Array.from({ length: 300 }, (_, n) => ({ email: `${n}@example.com`, name: 'x'.repeat(60) }))

  it('lets a long answer that is streamed come to its end', async () => {
    const server = await openServer()
    for (const form of subscriptions) await server.request('POST', '/subscribe', { form })
    const token = await server.token('root', 'admin')
    const socket = net.connect({ port: server.port, host: '127.0.0.1' })
    socket.write(`GET /subscriptions/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n${TUNNEL}`)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('latin1')
    for (const { email } of subscriptions) expect(text).toContain(`"${email}"`)
    expect(text).toMatch(/\r\n0\r\n\r\nHTTP\/1\.1 405 /)
  })

  it('does not keep the connection beyond the idle timeout', async () => {
    const server = await openServer({}, (it) => {
      it.timeout = 100
    })
    const token = await server.token('root', 'admin')
    const begun = new Promise<void>((resolve) => {
      server.useCases.getUser.execute = async () => {
        resolve()
        return await new Promise(() => {})
      }
    })
    const accepted = once(server.server, 'connection') as Promise<[Socket]>
    const socket = net.connect({ port: server.port, host: '127.0.0.1' })
    socket.write(`GET /users/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n${TUNNEL}`)
    const [served] = await accepted
    await begun
    await closed(served)
    expect(served.destroyed).toBe(true)
    socket.destroy()
  })
})
