import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RequestsInFlight } from '../src/workers/requests-in-flight.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('counts a request from its beginning to the end of its answer, and finds quiet when none has followed', async () => {
  const server = new EventEmitter()
  const requests = new RequestsInFlight(server as unknown as Server)
  await requests.idle(1e6)
  const begin = () => {
    const response = new EventEmitter()
    server.emit('request', {}, response)
    return () => response.emit('close')
  }
  const [endFirst, endSecond] = [begin(), begin()]
  const notQuiet = requests.idle(1)
  await vi.advanceTimersByTimeAsync(1)
  await notQuiet
  let quiet = false
  const waiting = requests.idle(1e6).then(() => {
    quiet = true
  })
  endFirst()
  await Promise.resolve()
  endSecond()
  const endThird = begin()
  await vi.advanceTimersByTimeAsync(20)
  expect(quiet).toBe(false)
  endThird()
  await vi.advanceTimersByTimeAsync(20)
  await waiting
})
