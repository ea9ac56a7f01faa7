import type { WebhookMessage } from '@rollcall/core'
import { onTestFinished } from 'vitest'
import { createWebhookTransport, type WebhookTransportOptions } from '../src/index.ts'
import { type AddressRange, parseAddressRange } from '../src/reachable-addresses.ts'
import { openReceiver } from './receiver.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

export const ranges = (...texts: string[]): AddressRange[] =>
  texts.map((text) => {
    const range = parseAddressRange(text)
    if (range === undefined) throw new RangeError(text)
    return range
  })

export const LOOPBACK = ranges('127.0.0.0/8')
export const CLOCK = { now: () => Date.now() }

export const aMessage = (url: string, changes: Partial<WebhookMessage> = {}): WebhookMessage => ({
  url,
  id: '17-1767225600123',
  body: JSON.stringify({ specversion: '1.0', type: 'user.created', data: { name: 'Zoë 😀' } }),
  secrets: [SECRET],
  ...changes,
})

/** Closed at the end of the test. */
export const transportFor = (options: Partial<WebhookTransportOptions> = {}) => {
  const transport = createWebhookTransport({ clock: CLOCK, allow: LOOPBACK, ...options })
  onTestFinished(() => transport.close())
  return transport
}

export const receiverFor = async (options?: Parameters<typeof openReceiver>[0]) => {
  const receiver = await openReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver
}
