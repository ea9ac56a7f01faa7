import { expect, it } from 'vitest'
import { WebhookGone, type WebhookMessage, type WebhookTransport } from '../src/index.ts'
import { portSuite } from './storage-under-test.ts'

export interface ArrivedMessage extends Pick<WebhookMessage, 'id' | 'body'> {
  /** Those of the request, in lower case; left out only where nothing goes over a wire, and so nothing is signed. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
}

export interface WebhookTransportUnderTest {
  readonly transport: WebhookTransport
  /** A target that accepts everything, until it is set to answer otherwise. */
  readonly url: string
  answer(how: 'take' | 'refuse' | 'gone'): void
  /** What arrived, taken or not. */
  arrived(): Promise<readonly ArrivedMessage[]>
  dispose(): Promise<void>
}

const SECRETS = ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=', 'whsec_////////////////////////////////']

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const signatureBy = async (secret: string, content: string): Promise<string> => {
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content)))
  return `v1,${btoa(String.fromCharCode(...signature))}`
}

export const webhookTransportContract = portSuite<WebhookTransportUnderTest>('a webhook transport', (under) => {
  const message = (id: string, body = '{"type":"user.created"}'): WebhookMessage => ({
    url: under().url,
    id,
    body,
    secrets: SECRETS,
  })

  it('hands over each message as it is', async () => {
    const body = JSON.stringify({ data: 'ü€😀 "\\ \u0000' })
    await under().transport.send(message('1-1', body))
    await under().transport.send(message('2-1'))
    expect(await under().arrived()).toMatchObject([
      { id: '1-1', body },
      { id: '2-1', body: '{"type":"user.created"}' },
    ])
  })

  it('signs what goes over a wire, by each secret, and says which trace it belongs to', async () => {
    const traceContext = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await under().transport.send({ ...message('1-1', '{"data":"ü"}'), traceContext })
    for (const { id, body, headers } of await under().arrived()) {
      if (headers === undefined) continue
      const timestamp = headers['webhook-timestamp'] ?? ''
      expect([headers['webhook-id'], headers.traceparent]).toEqual([id, traceContext])
      expect(timestamp).toMatch(/^[1-9]\d*$/)
      const expected = await Promise.all(SECRETS.map((secret) => signatureBy(secret, `${id}.${timestamp}.${body}`)))
      expect(headers['webhook-signature']?.split(' ')).toEqual(expected)
    }
  })

  it('sends a message again under the same id', async () => {
    under().answer('refuse')
    await expect(under().transport.send(message('1-1'))).rejects.not.toBeInstanceOf(WebhookGone)
    under().answer('take')
    await under().transport.send(message('1-1'))
    expect((await under().arrived()).at(-1)).toMatchObject({ id: '1-1' })
  })

  it('says so where a target wants nothing any more', async () => {
    under().answer('gone')
    await expect(under().transport.send(message('1-1'))).rejects.toBeInstanceOf(WebhookGone)
  })

  it('sends many at a time', async () => {
    expect(under().transport.concurrency).toBeGreaterThan(0)
    const ids = Array.from({ length: 2 * under().transport.concurrency }, (_, n) => `${n}-1`)
    await Promise.all(ids.map((id) => under().transport.send(message(id))))
    expect((await under().arrived()).map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  it('sees nothing wrong with where it can send to, and something with what is no URL', () => {
    expect(under().transport.problemWith(under().url)).toBeUndefined()
    for (const url of ['', 'nowhere', 'ftp://example.com/', 'file:///etc/passwd'])
      expect(under().transport.problemWith(url)).toMatch(/\w\.$/)
  })

  it('is closed twice as once, and then says of each message that it was broken off', async () => {
    await under().transport.close()
    await under().transport.close()
    await expect(under().transport.send(message('1-1'))).rejects.toMatchObject({ name: 'AbortError' })
  })
})
