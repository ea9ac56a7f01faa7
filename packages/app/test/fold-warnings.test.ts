import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { folded, silentLog } from '../src/log.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setUp = () => {
  const lines: (readonly [object | string, string | undefined])[] = []
  const write = (fields: object | string, message?: string) => void lines.push([fields, message])
  const log = folded({ ...silentLog, warn: write, error: write, info: write, isLevelEnabled: () => true })
  return { log, lines }
}

const trouble = (code = 'ECONNREFUSED') =>
  Object.assign(new Error('The service cannot do this right now.'), { cause: Object.assign(new Error(code), { code }) })

const notServed = (requestId: string, err = trouble(), route = '/users') =>
  [{ request_id: requestId, method: 'GET', route, status: 503, err }, 'a request could not be served'] as const

describe('equal warnings', () => {
  it('are one line at once, and then at most one a minute with their count', () => {
    const { log, lines } = setUp()
    for (let second = 0; second < 150; second++) {
      for (let n = 0; n < 200; n++) log.warn(...notServed(`${second}-${n}`))
      vi.advanceTimersByTime(SECOND)
    }
    expect(lines).toHaveLength(3)
    expect(lines[0]).toEqual(notServed('0-0'))
    expect(lines[1]).toEqual([{ ...notServed('59-199')[0], repeated: 60 * 200 - 1 }, 'a request could not be served'])
    expect(lines[2]).toEqual([{ ...notServed('119-199')[0], repeated: 60 * 200 }, 'a request could not be served'])
    log.flush()
    expect(lines[3]?.[0]).toMatchObject({ repeated: 30 * 200 })
  })

  it('are written at once again after a minute without one, and a single one has no count', () => {
    const { log, lines } = setUp()
    for (const id of ['a', 'b']) {
      log.warn(...notServed(id))
      vi.advanceTimersByTime(MINUTE)
    }
    log.flush()
    expect(lines).toEqual([notServed('a'), notServed('b')])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are those that differ only in what each request, mail or event has of its own', () => {
    const { log, lines } = setUp()
    log.warn(...notServed('1'))
    log.warn(...notServed('2', trouble('ETIMEDOUT')))
    log.warn(...notServed('3', trouble(), '/feeds'))
    log.warn({ outbox: '1', attempts: 1, reason: 'EAUTH' }, 'a mail could not be sent')
    log.warn({ outbox: '2', attempts: 2, reason: 'EAUTH' }, 'a mail could not be sent')
    log.warn({ outbox: '3', attempts: 1, reason: 'ETIMEDOUT' }, 'a mail could not be sent')
    log.warn('without fields')
    log.warn('without fields')
    expect(lines).toHaveLength(6)
    log.flush()
    expect(lines.slice(-2)).toEqual([
      [{ outbox: '2', attempts: 2, reason: 'EAUTH', repeated: 1 }, 'a mail could not be sent'],
      [{ repeated: 1 }, 'without fields'],
    ])
  })

  it('are not errors, whose ids a client may report, nor anything else', () => {
    const { log, lines } = setUp()
    for (const id of ['1', '2']) {
      log.error({ request_id: id }, 'a request failed')
      log.info({ request_id: id }, 'a request was refused')
    }
    expect(lines).toHaveLength(4)
  })

  it('take bounded room, and lose no count', () => {
    const { log, lines } = setUp()
    for (let n = 0; n < 1_000; n++) for (let twice = 0; twice < 2; twice++) log.warn({ n }, 'a warning')
    expect(vi.getTimerCount()).toBeLessThanOrEqual(200)
    log.flush()
    expect(lines).toHaveLength(2_000)
  })
})
