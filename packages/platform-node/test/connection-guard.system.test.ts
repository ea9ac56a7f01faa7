import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { plainRefusal } from '../src/http/refusal.ts'
import { ConnectionGuard } from '../src/index.ts'

const request = (line: string, fields = '', body = ''): string =>
  `${line} HTTP/1.1\r\nHost: x\r\n${fields}${body && `Content-Length: ${body.length}\r\n`}\r\n${body}`
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => request(`GET /${n}`))
const closing = (line: string): string => request(line, 'Connection: close\r\n')

describe('a connection with more requests than one', () => {
  const servers: Server[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  })

  /** A guarded server, what its handler was given, and a connection to it. */
  const open = async (handle: RequestListener, limits: ServerOptions = {}, timeout = 75_000) => {
    const given: (string | undefined)[] = []
    let inHand = 0
    let most = 0
    const server = createServer(limits)
    const guard = new ConnectionGuard(server)
    server.timeout = timeout
    server.on('request', (req, res) =>
      guard.take(req, res, (...exchange) => {
        given.push(`${req.method} ${req.url}`)
        most = Math.max(most, ++inHand)
        res.once('finish', () => inHand--)
        handle(...exchange)
      }),
    )
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    const client: Socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
    await once(client, 'connect')
    return { client, given, most: () => most, server, guard }
  }
  /** Once the server has no connection any more. */
  const closed = async (server: Server): Promise<void> => {
    const count = () => new Promise<number>((resolve) => server.getConnections((_, found) => resolve(found)))
    await expect.poll(count).toBe(0)
  }
  /** With the path and the body of the request, once the body is there. */
  const echo: RequestListener = async (req, res) => {
    const body = await text(req)
    res.setHeader('X-Body', encodeURIComponent(body))
    res.setHeader('X-Path', req.url ?? '')
    res.end('answer')
  }
  const valuesOf = (name: string, answers: string): (string | undefined)[] =>
    [...answers.matchAll(new RegExp(`^${name}: (.*)\r$`, 'gim'))].map(([, value]) => value)

  it('gets all answers if it has sent a few, in order and one at a time, and goes on', async () => {
    const { client, given, most } = await open(echo)
    client.write([...numbered(7), request('POST /body', '', closing('DELETE /no-request'))].join(''))
    let answers = ''
    client.on('data', (piece) => {
      answers += piece
      if (!answers.endsWith('answer') || valuesOf('X-Path', answers).length !== 8) return
      client.write(closing('GET /last'))
    })
    await once(client, 'close')
    const paths = [...Array.from({ length: 7 }, (_, n) => `/${n}`), '/body', '/last']
    expect(valuesOf('X-Path', answers)).toEqual(paths)
    expect(given).toEqual(paths.map((path) => `${path === '/body' ? 'POST' : 'GET'} ${path}`))
    expect(most()).toBe(1)
  })

  it.each([9, 400, 40_000])(
    'is closed by its next answer if it has sent %i, and loses none that was begun',
    async (n) => {
      const { client, given } = await open(echo)
      client.write(numbered(n).join('') + request('DELETE /everything'))
      const answers = await text(client)
      expect(valuesOf('Connection', answers)).toEqual(['close'])
      expect(valuesOf('X-Path', answers)).toEqual(['/0'])
      expect(given).toEqual(['GET /0'])
    },
  )

  it('is closed by the first answer whose header is not sent yet', async () => {
    const { client, given } = await open((req, res) => {
      if (req.url !== '/0') return void echo(req, res)
      res.writeHead(200, { 'Content-Length': 6, 'X-Path': '/0' }).flushHeaders()
      setImmediate(() => res.end('answer'))
    })
    client.write(numbered(400).join(''))
    const answers = await text(client)
    expect(valuesOf('X-Path', answers)).toEqual(['/0', '/1'])
    expect(valuesOf('Connection', answers)).toEqual(['keep-alive', 'close'])
    expect(given).toEqual(['GET /0', 'GET /1'])
  })

  it('is read no further while the last answer is on its way', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { client, given } = await open(async (req, res) => {
      await released
      await echo(req, res)
    })
    const MUCH = Buffer.alloc(64 * 1024 * 1024, request('GET /much'))
    let isTaken = false
    client.write(MUCH, () => {
      isTaken = true
    })
    for (let turn = 0; turn < 1_000; turn++) await nextTurnOfTheLoop()
    expect([given, isTaken]).toEqual([['GET /much'], false])
    release()
    expect(valuesOf('Connection', await text(client).catch(() => 'Connection: reset\r'))).toEqual(['close'])
  })

  it('has nothing begun behind an answer that closes it, or for a client that has gone', async () => {
    const closes = await open((_, res) => void res.writeHead(400, { Connection: 'close' }).end())
    closes.client.write(numbered(3).join(''))
    await text(closes.client)
    expect(closes.given).toEqual(['GET /0'])
    const gone = await open((req) => void req.socket.destroy())
    gone.client.write(numbered(3).join(''))
    await text(gone.client)
    expect(gone.given).toEqual(['GET /0'])
  })

  it('has no request handled whose body turned out to be broken while it waited', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { client, given, guard, server } = await open(async (_, res) => {
      await released
      res.end('answer')
    })
    server.on('clientError', (error, socket) => guard.fail(error, socket as Socket, plainRefusal(400, 'broken')))
    client.write(`${request('GET /0')}${request('POST /1', 'Transfer-Encoding: chunked\r\n')}no chunk\r\n`)
    for (let turn = 0; turn < 50; turn++) await nextTurnOfTheLoop()
    release()
    const answers = await text(client)
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400'])
    expect(given).toEqual(['GET /0'])
  })

  it.each(['websocket', 'h2c'])('is closed by the answer to a request with Upgrade: %s', async (protocol) => {
    const fields = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`
    const smuggled = request('DELETE /everything')
    for (const pieces of [
      [request('GET /0', fields) + smuggled],
      [request('GET /0', fields), smuggled],
      [request('POST /0', fields, smuggled)],
      [request('POST /0', fields, smuggled).slice(0, -8), smuggled.slice(-8), smuggled],
      // Its head comes with the request before, and Node loses it: the body must not become a request.
      [request('GET /0', fields) + request('POST /1', '', smuggled).slice(0, -smuggled.length), smuggled],
    ]) {
      const isPost = pieces[0]?.startsWith('POST')
      const { client, given } = await open(echo)
      const answers = text(client)
      for (const piece of pieces) {
        client.write(piece)
        for (let turn = 0; turn < 20; turn++) await nextTurnOfTheLoop()
      }
      expect(valuesOf('Connection', await answers)).toEqual(['close'])
      expect(valuesOf('X-Body', await answers)).toEqual([isPost ? encodeURIComponent(smuggled) : ''])
      expect(given).toEqual([isPost ? 'POST /0' : 'GET /0'])
    }
  })

  it.each(['', request('GET /0'), numbered(3).join('')])(
    'is not kept open by empty lines, which belong to no request (after %j)',
    async (before) => {
      const limits = { keepAliveTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 50 }
      const { client, server } = await open(echo, limits)
      client.on('error', () => undefined).resume()
      const dripping = setInterval(() => client.write('\r\n'), 20)
      client.write(before)
      await closed(server).finally(() => clearInterval(dripping))
    },
  )

  it.each(['GET /1 HTTP/1.1\r\nHost: x\r\n\r\n', 'x'])(
    'is closed if it reads no answer, although it goes on sending %j',
    async (drip) => {
      const MORE_THAN_IS_BUFFERED = Buffer.alloc(32 * 1024 * 1024)
      const { client, server } = await open((_, res) => void res.end(MORE_THAN_IS_BUFFERED), {}, 300)
      client.on('error', () => undefined).pause()
      client.write(request('GET /0'))
      const dripping = setInterval(() => client.write(drip), 20)
      await closed(server).finally(() => clearInterval(dripping))
    },
  )

  it('is kept open while it reads an answer, however slowly', async () => {
    const pieces = Array<Buffer>(400).fill(Buffer.alloc(64 * 1024))
    const { client } = await open((_, res) => void Readable.from(pieces).pipe(res), {}, 500)
    let length = 0
    client.on('data', (piece) => {
      length += piece.length
      client.pause()
      setTimeout(() => client.resume(), 5)
    })
    client.write(closing('GET /0'))
    await once(client, 'close', { signal: AbortSignal.timeout(20_000) })
    expect(length).toBeGreaterThan(400 * 64 * 1024)
  })

  it('is kept open while a request is in hand, however long that takes', async () => {
    const limits = { keepAliveTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 50 }
    const { client } = await open((req, res) => {
      if (req.url === '/0') res.end('answer')
      else setTimeout(() => res.end('late'), 2_500)
    }, limits)
    const answers = text(client)
    client.write(request('GET /0') + closing('GET /1'))
    expect((await answers).endsWith('late')).toBe(true)
  })
})
