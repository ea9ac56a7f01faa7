import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LingeringClose } from '../src/http/lingering-close.ts'

describe('a connection that is closed in stages', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const open = () => {
    const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
    return Object.assign(socket, { bytesRead: 100 }) as unknown as Socket
  }

  it('is closed when the client ends its side, and else after a time', async () => {
    const closing = new LingeringClose()
    const [ends, stays] = [open(), open()]
    for (const socket of [ends, stays]) closing.begin(socket)
    ends.push(null)
    await once(ends, 'close')
    vi.advanceTimersByTime(1_999)
    expect(stays.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(stays.destroyed).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is closed after 16 MiB', async () => {
    const socket = open()
    new LingeringClose().begin(socket)
    for (const [bytes, destroyed] of [
      [16 * 1024 * 1024, false],
      [1, true],
    ] as const) {
      Object.assign(socket, { bytesRead: socket.bytesRead + bytes })
      socket.push('x')
      await nextTurnOfTheLoop()
      expect([bytes, socket.destroyed]).toEqual([bytes, destroyed])
    }
  })

  it('makes room for others: above a thousand the oldest is closed', async () => {
    const closing = new LingeringClose()
    const sockets = Array.from({ length: 1_002 }, open)
    for (const socket of sockets) closing.begin(socket)
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(sockets.map((_, i) => i < 2))
    for (const socket of sockets) socket.destroy()
  })
})
