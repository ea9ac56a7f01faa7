import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openServer } from './support/open-server.ts'
import { answersIn, openSocket } from './support/raw.ts'

const DOCUMENT = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const LIVENESS = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const FORM = 'email=many%40example.com'
const SUBSCRIBE = `POST /subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n\r\n${FORM}`

describe('a connection with requests at once', () => {
  /** A server, and the routes that have answered. */
  const open = async () => {
    const answered: (string | undefined)[] = []
    const server = await openServer({ observer: { answered: (route) => void answered.push(route) } })
    return { server, answered }
  }
  const statusesIn = (answers: string): number[] => answersIn(answers).map(({ status }) => status)

  it('is answered completely if the client half-closes it, or sends the end of a body late', async () => {
    const { server } = await open()
    const several = (SUBSCRIBE + DOCUMENT).repeat(3)
    const expected = Array.from({ length: 7 }, () => 200)
    const halfClosed = await openSocket(server.port, true)
    halfClosed.end(`${several + LIVENESS}GET /li`)
    expect(statusesIn(await text(halfClosed))).toEqual([...expected, 400])
    const late = await server.raw([several + SUBSCRIBE.slice(0, -5), SUBSCRIBE.slice(-5), LAST])
    expect(statusesIn(late)).toEqual([...expected, 200])
  })

  it('stores nothing of what it sends behind too many', async () => {
    const { server, answered } = await open()
    expect(statusesIn(await server.raw(DOCUMENT.repeat(100) + SUBSCRIBE))).toEqual([200])
    expect(answered).toEqual(['/openapi.json'])
    await server.useCases.deliverOutbox.execute({ limit: 100 })
    expect(server.transport.mails).toEqual([])
  })

  it('is served to its end, then refused, if something that is not a request follows', async () => {
    const { server } = await open()
    expect(statusesIn(await server.raw(`${DOCUMENT.repeat(8)}garbage\r\n\r\n`))).toEqual([...Array(8).fill(200), 400])
    expect(statusesIn(await server.raw(`${DOCUMENT.repeat(30)}garbage\r\n\r\n`))).toEqual([200])
  })
})
