import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { Home } from './running-service.ts'

const PIPELINED = 2_000

describe.each([
  ['public', '/subscribe'],
  ['console', '/login'],
  ['metrics', '/metrics'],
] as const)('many requests at once on the %s listener', (listener, path) => {
  let home: Home
  let port: number
  beforeAll(async () => {
    const [console, metrics] = [await freePort(), await freePort()]
    home = await Home.make({ CONSOLE_PORT: `${console}`, METRICS_PORT: `${metrics}` })
    port = { public: home.port, console, metrics }[listener]
    await home.serveInProcess()
  })
  afterAll(async () => await home[Symbol.asyncDispose]())

  const request = (line: string, fields = ''): string => `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${fields}\r\n`
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    return socket
  }
  const statusesIn = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  const closesIn = (answers: string) => answers.match(/\r\nconnection: close\r\n/gi)?.length ?? 0
  /** What comes until the connection closes, and how many requests Node has parsed on this listener meanwhile. */
  const exchange = async (...pieces: readonly string[]) => {
    const socket = await open()
    let parsed = 0
    const count = (message: unknown) => {
      if ((message as { socket: Socket }).socket.remotePort === socket.localPort) parsed++
    }
    diagnostics.subscribe('http.server.request.start', count)
    const answers = text(socket)
    for (const piece of pieces) {
      socket.write(piece)
      await sleep(20)
    }
    const all = await answers
    diagnostics.unsubscribe('http.server.request.start', count)
    return { statuses: statusesIn(all), closes: closesIn(all), parsed }
  }

  it('answers a few in order, and goes on', async () => {
    const few = request(`GET ${path}`) + request('GET /nowhere')
    const { statuses } = await exchange(few, few, request(`HEAD ${path}`, 'Connection: close\r\n'))
    expect(statuses).toHaveLength(5)
    expect(statuses.slice(0, 4)).toEqual([statuses[0], statuses[1], statuses[0], statuses[1]])
    expect(statuses[0]).toBe(200)
  })

  it.each(['', 'Expect: nothing\r\n'])('closes the connection, and takes none behind: %j', async (fields) => {
    const { statuses, closes, parsed } = await exchange(request(`GET ${path}`, fields).repeat(PIPELINED))
    expect(statuses).toEqual([fields === '' ? 200 : 417])
    expect(closes).toBe(1)
    expect(parsed).toBeLessThan(PIPELINED / 10)
  })

  it('answers one with Upgrade, and closes the connection', async () => {
    const upgrade = request(`GET ${path}`, 'Connection: Upgrade\r\nUpgrade: websocket\r\n')
    const body = request('GET /nowhere')
    const post = request(`POST ${path}`, `Content-Length: ${body.length}\r\n`)
    for (const pieces of [[upgrade + body], [upgrade, body], [upgrade + post, body]]) {
      const { statuses, closes } = await exchange(...pieces)
      expect([statuses, closes]).toEqual([[200], 1])
    }
  })

  it('answers earlier requests before it refuses what is not a request, or a tunnel', async () => {
    const begun = request(`GET ${path}`)
    for (const refused of ['garbage\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n']) {
      const { statuses } = await exchange(begun + refused)
      expect(statuses).toEqual([200, refused.startsWith('CONNECT') ? 405 : 400])
    }
  })
})
