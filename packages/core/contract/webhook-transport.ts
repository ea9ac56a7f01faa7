import { expect, it } from 'vitest'
import { WebhookGone, type WebhookMessage, type WebhookTransport } from '../src/index.ts'
import { portSuite } from './storage-under-test.ts'

export interface WebhookTransportUnderTest {
  readonly transport: WebhookTransport
  /** A target that accepts everything, until it is set to answer otherwise. */
  readonly url: string
  answer(how: 'take' | 'refuse' | 'gone'): void
  /** What arrived, taken or not. */
  arrived(): Promise<readonly Pick<WebhookMessage, 'id' | 'body'>[]>
  dispose(): Promise<void>
}

export const webhookTransportContract = portSuite<WebhookTransportUnderTest>('a webhook transport', (under) => {
  const message = (id: string, body = '{"type":"user.created"}'): WebhookMessage => ({
    url: under().url,
    id,
    body,
    secrets: ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
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
