import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { Home } from './running-service.ts'

const PIPELINED = 2_000
const PATHS = ['/subscribe', '/login', '/metrics']

describe('many requests at once', () => {
  let home: Home
  let ports: Readonly<Record<string, number>>
  beforeAll(async () => {
    const [console, metrics] = [await freePort(), await freePort()]
    home = await Home.make({ CONSOLE_PORT: `${console}`, METRICS_PORT: `${metrics}` })
    ports = { '/subscribe': home.port, '/login': console, '/metrics': metrics }
    await home.serveInProcess()
  })
  afterAll(async () => await home[Symbol.asyncDispose]())

  // What else the guard of a connection does is tested in `platform-node`.
  it.each([
    ...PATHS.map((path) => [path, '', 200] as const),
    ...PATHS.map((path) => [path, 'Expect: nothing\r\n', 417] as const),
  ])('close the connection, and none behind is taken: %s, %j', async (path, field, status) => {
    const port = ports[path] ?? 0
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    let parsed = 0
    const count = (message: unknown) => {
      if ((message as { socket: Socket }).socket.remotePort === socket.localPort) parsed++
    }
    diagnostics.subscribe('http.server.request.start', count)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${field}\r\n`.repeat(PIPELINED))
    const answers = await text(socket)
    diagnostics.unsubscribe('http.server.request.start', count)
    expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`])
    expect(answers).toMatch(/\r\nconnection: close\r\n/i)
    expect(parsed).toBeLessThan(PIPELINED / 10)
  })
})
