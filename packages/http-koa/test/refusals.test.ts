import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openServer } from './support/open-server.ts'
import { openSocket } from './support/raw.ts'

const ANSWERED_TOGETHER = 50
const REQUESTS = 200

describe('many requests that come at once and are refused', () => {
  it('are answered a few at a time, so that few of them are in memory', async () => {
    let inHand = 0
    let most = 0
    await using stack = new AsyncDisposableStack()
    const { promise: allAccepted, resolve } = Promise.withResolvers<void>()
    let accepted = 0
    const server = await openServer({}, (http) => {
      http.on('connection', () => {
        if (++accepted === REQUESTS) resolve()
      })
      http.prependListener('request', (_req, res) => {
        most = Math.max(most, ++inHand)
        res.on('close', () => {
          inHand--
        })
      })
    })
    stack.defer(server.close)
    const sockets = await Promise.all(Array.from({ length: REQUESTS }, () => openSocket(server.port)))
    await allAccepted
    for (const socket of sockets) socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
    expect(most).toBeLessThanOrEqual(ANSWERED_TOGETHER + 1)
    expect(inHand).toBe(0)
  })
})
