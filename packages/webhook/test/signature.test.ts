import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { aMessage, receiverFor, SECRET, transportFor } from './cast.ts'

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
})
