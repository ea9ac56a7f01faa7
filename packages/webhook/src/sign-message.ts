import { createHmac } from 'node:crypto'
import type { WebhookMessage } from '@rollcall/core'

const PREFIX = 'whsec_'

/**
 * The header fields that say who sent it and when; one signature by each secret, so that a receiver that knows one of them can verify it.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 */
export const signMessage = (
  { id, body, secrets }: Pick<WebhookMessage, 'id' | 'body' | 'secrets'>,
  seconds: number,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => {
  const timestamp = String(seconds)
  const signatures = secrets.map((secret) => `v1,${signature(keyOf(secret), `${id}.${timestamp}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')

const signature = (key: Buffer, content: string): string => createHmac('sha256', key).update(content).digest('base64')
