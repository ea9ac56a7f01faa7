import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { aMessage, OLD_SECRET, receiverFor, SECRET, transportFor } from './cast.ts'

const received = async (changes: Parameters<typeof aMessage>[1] = {}, now = Date.now()) => {
  const receiver = await receiverFor()
  await transportFor({ clock: { now: () => now } }).send(aMessage(receiver.url, changes))
  const [request] = receiver.received
  if (request === undefined) throw new Error('Nothing arrived.')
  return request
}

describe('what arrives', () => {
  it('is verified by the library of Standard Webhooks', async () => {
    const { headers, body } = await received()
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(aMessage('').body))
  })

  it('is verified with either secret during a rotation', async () => {
    const { headers, body } = await received({ secrets: [SECRET, OLD_SECRET] })
    for (const secret of [SECRET, OLD_SECRET]) new Webhook(secret).verify(body, headers)
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
  })

  it('is refused where anything of it was changed, or with another secret', async () => {
    const { headers, body } = await received()
    const refused = (secret: string, what: string, changes = {}) =>
      expect(() => new Webhook(secret).verify(what, { ...headers, ...changes })).toThrow()
    refused(OLD_SECRET, body)
    refused(SECRET, `${body} `)
    refused(SECRET, body, { 'webhook-id': '18-1767225600123' })
    refused(SECRET, body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) })
  })

  it('is refused when it comes again after a while', async () => {
    const { headers, body } = await received({}, Date.now() - 10 * 60_000)
    expect(() => new Webhook(SECRET).verify(body, headers)).toThrow('too old')
  })

  it('is signed as the library signs the same', async () => {
    const now = 1_767_225_600_987
    const { headers, body } = await received({}, now)
    expect(headers['webhook-timestamp']).toBe('1767225600')
    expect(headers['webhook-signature']).toBe(new Webhook(SECRET).sign('17-1767225600123', new Date(now), body))
  })

  it('is a POST of a CloudEvent to the URL as it was given, and says no more of the service than its name', async () => {
    const { method, url, headers, body } = await received()
    expect([method, url]).toEqual(['POST', '/hooks?of=shop'])
    expect(headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Rollcall',
      'webhook-id': '17-1767225600123',
    })
    expect(Object.keys(headers).sort()).toEqual([
      ...['connection', 'content-length', 'content-type', 'host', 'user-agent'],
      ...['webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ])
  })

  it('says of which trace it is, where it is of one', async () => {
    const traceContext = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const { headers, body } = await received({ traceContext })
    expect(headers.traceparent).toBe(traceContext)
    expect(new Webhook(SECRET).verify(body, headers)).toEqual(JSON.parse(aMessage('').body))
  })
})
