import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { operator, type WebhookName, WebhookRefused, withAnswer } from '../src/index.ts'
import { headOf } from '../src/webhooks/webhook-answer.ts'
import { deliverEvents } from './webhooks.ts'

const OPS = operator('ops')

describe('the head of an answer', () => {
  const body = JSON.stringify({
    id: '1-1',
    data: {
      id: 17,
      email: 'Ada.King@example.com',
      name: 'Zoë Müller 李明',
      status: 'confirmed',
      fields: { company: 'Acme', age: '42', initials: 'J.', alias: 'Ann-Kathrin' },
    },
  })
  it.each([
    ['is one line', 'busy,\n try  later\u0000', 'busy, try later'],
    ['has no address, of whoever it is', 'unknown: bob@example.org', 'unknown: <address>'],
    [
      'has nothing of what was sent of a person',
      'Hello ZOË MÜLLER of acme, 17 is confirmed',
      'Hello … … of …, 17 is confirmed',
    ],
    ['has none of it in the escapes of JSON', '{"name":"Zo\\u00eb M\\u00fcller"}', '{"name":"… …"}'],
    ['has none of it in the escapes of an address', 'q=M%C3%BCller', 'q=…'],
    ['has no name of two characters that is a whole one', '你好，李明！', '你好，…！'],
    ['has nothing short of it that stands by itself', 'J. is 42, 17 is 142 of J.B', '… is …, 17 is 142 of J.B'],
    [
      'has no part of it that a person may be called by',
      'Ann, Kathrin, ada.king and ada_king are banned',
      '…, …, … and …_… are banned',
    ],
    ['is short', 'x'.repeat(1_000), 'x'.repeat(200)],
    ['is nothing if it is empty', ' ', undefined],
  ])('%s', (_, said, head) => {
    expect(headOf(said, body)).toBe(head)
  })

  it('is not kept of one who is gone: nothing tells which of its words are theirs', () => {
    expect(headOf('removed Ada Lovelace', JSON.stringify({ data: { id: 17, feed: 'weekly' } }))).toBeUndefined()
    expect(headOf('well received', JSON.stringify({ data: {} }))).toBe('well received')
  })
})

describe('a target', () => {
  const opened = async () => {
    const service = openMemoryService()
    await service.useCases.putWebhook.execute({ name: 'shop', url: 'https://shop.example.com/' }, OPS)
    const put = (userId: string) =>
      service.useCases.putUser.execute({ userId, email: `${userId}@example.com`, name: '', roles: [] }, OPS)
    const answers = () => service.useCases.listWebhookAnswers.execute({ name: 'shop' }, OPS)
    return { ...service, put, answers }
  }

  it('is shown with what it said to each try, and since when it fails', async () => {
    const service = await opened()
    const { useCases, webhookTransport, put, answers: answersOf, clock } = service
    webhookTransport.otherSide = async () => ({ status: 202, head: 'thank you' })
    await put('ada')
    await deliverEvents(service)
    webhookTransport.otherSide = async () => {
      throw withAnswer(new WebhookRefused('The target answered 500.', { status: 500 }), {
        status: 500,
        head: 'no ada@example.com',
      })
    }
    await put('bob')
    await deliverEvents(service)
    const answers = await answersOf()
    expect(answers).toMatchObject([
      { subject: 'bob', attempt: 1, status: 500, error: 'The target answered 500.', head: 'no <address>' },
      { subject: 'ada', attempt: 1, status: 202, error: undefined, head: 'thank you' },
    ])
    const failing = await useCases.listFailingWebhooks.execute({}, OPS)
    expect([...failing]).toEqual([['shop', clock.now()]])
    const shown = async () => [
      (await useCases.listWebhooks.execute({}, OPS)).items[0]?.failingSince,
      (await useCases.getWebhook.execute({ name: 'shop' }, OPS)).failingSince,
      (await useCases.rotateWebhookSecret.execute({ name: 'shop' }, OPS)).webhook.failingSince,
    ]
    expect(await shown()).toEqual(Array(3).fill(failing.get('shop' as WebhookName)))
    const patched = (url: string) => useCases.patchWebhook.execute({ name: 'shop', url }, OPS)
    expect((await patched('https://shop.example.com/')).failingSince).toBe(clock.now())
    expect((await patched('https://shop.example.com/new')).failingSince).toBeUndefined()
    expect(await shown()).toEqual(Array(3).fill(undefined))
  })

  it('is sent one event again, under its id, and no event that there is not', async () => {
    const service = await opened()
    const { useCases, webhookTransport, put, answers } = service
    await put('ada')
    await put('bob')
    await deliverEvents(service)
    const [last] = await answers()
    await useCases.replayEvent.execute({ name: 'shop', position: last?.position ?? 0 }, OPS)
    await deliverEvents(service)
    const ids = webhookTransport.messages.map(({ id }) => id)
    expect(ids).toHaveLength(3)
    expect(ids[2]).toBe(ids[1])
    await expect(useCases.replayEvent.execute({ name: 'shop', position: 99 }, OPS)).rejects.toThrow(
      "Correct 'position'",
    )
  })

  it('is tried with an event of no one, signed, whose answer is kept', async () => {
    const { useCases, webhookTransport, answers } = await opened()
    const answer = await useCases.testWebhook.execute({ name: 'shop' }, OPS)
    expect(answer).toMatchObject({ type: 'webhook.test', status: 200, error: undefined })
    expect(await answers()).toEqual([answer])
    const [message] = webhookTransport.messages
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ specversion: '1.0', type: 'webhook.test', data: {} })
    expect(message?.secrets).toHaveLength(1)
    webhookTransport.otherSide = async () => {
      throw new Error('connect ECONNREFUSED')
    }
    expect(await useCases.testWebhook.execute({ name: 'shop' }, OPS)).toMatchObject({
      status: undefined,
      error: 'connect ECONNREFUSED',
    })
  })
})
