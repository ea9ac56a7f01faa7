import { expect, it } from 'vitest'
import { EVENT_TYPES, type SecretSeed, type Webhook } from '../src/index.ts'
import { anEvent, anEventAt, aWebhook, stretchesOf, THEN, upTo, VISIBLE_ASCII, webhookName } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const webhookStoreContract = storageSuite('a webhook store', (storage) => {
  const { runEach, alike, undone, readers } = storage
  const { webhooks, webhookDeliveries } = storage.stores
  const find = (name: string) => alike((stores) => stores.webhooks.find(webhookName(name)))
  const putAll = (all: readonly Webhook[]) => runEach(all, (stores, webhook) => stores.webhooks.put(webhook))
  const put = (...names: string[]) => putAll(names.map((name) => aWebhook(name)))
  const names = async () => (await readers.webhooks.list({ after: 0, limit: 9 })).items.map(({ name }) => name)
  const progressOf = (name: string) => webhookDeliveries.progress(webhookName(name))

  it('is empty from the start', async () => {
    expect(await find('shop')).toBeUndefined()
    expect(await readers.webhooks.list({ after: 0, limit: 9 })).toEqual({ items: [], next: undefined })
    expect(await progressOf('shop')).toBeUndefined()
  })

  it('gives back every webhook exactly as it was put', async () => {
    const all = [
      aWebhook('plain'),
      aWebhook('x'.repeat(64), { url: `https://example.com/${VISIBLE_ASCII}`, types: ['user.deleted'] }),
      aWebhook('rotated', { previousSecrets: [{ seed: 'ff'.repeat(16) as SecretSeed, until: THEN + 1 }] }),
      aWebhook('rotated-often', {
        previousSecrets: upTo(9).map((n) => ({ seed: `${n}`.repeat(32) as SecretSeed, until: THEN - n })),
      }),
      aWebhook('off', { types: EVENT_TYPES.slice(2, 5), disabled: { because: 'by-hand', since: THEN + 2 } }),
      aWebhook('failing', { disabled: { because: 'failing', since: 0 }, createdAt: 1, updatedAt: 2 }),
      aWebhook('gone', { disabled: { because: 'gone', since: THEN } }),
    ]
    await putAll(all)
    for (const webhook of all) expect(await find(webhook.name)).toEqual(webhook)
    expect((await readers.webhooks.list({ after: 0, limit: 200 })).items).toEqual(all)
  })

  it('replaces the webhook with the same name, which keeps its place and its progress', async () => {
    await put('b', 'a')
    const progress = { cursor: 7, failures: 2, failingSince: THEN, pausedUntil: THEN + 1 }
    await webhookDeliveries.putProgress(webhookName('b'), progress)
    const changed = aWebhook('b', {
      url: 'https://example.net/',
      types: ['user.created'],
      secret: 'aa'.repeat(16) as SecretSeed,
      previousSecrets: [{ seed: 'bb'.repeat(16) as SecretSeed, until: 5 }],
      disabled: { because: 'gone', since: 6 },
      updatedAt: 7,
    })
    await putAll([changed])
    expect(await find('b')).toEqual(changed)
    expect(await names()).toEqual(['b', 'a'])
    expect(await progressOf('b')).toEqual(progress)
    await put('b')
    expect(await find('b')).toEqual(aWebhook('b'))
  })

  it('has a new webhook begin behind the newest event, and nothing failed', async () => {
    await put('first')
    await runEach(upTo(3), ({ events }, n) => events.append(anEvent(`s${n}`)))
    await storage.stores.events.number(9)
    await put('second')
    const newest = (await readers.events.list({ after: 0, limit: 9 })).items.at(-1)?.position ?? 0
    const unharmed = { failures: 0, failingSince: undefined, pausedUntil: 0 }
    expect(await progressOf('first')).toEqual({ cursor: newest - 3, ...unharmed })
    expect(await progressOf('second')).toEqual({ cursor: newest, ...unharmed })
  })

  it('removes a webhook with its deliveries, and nothing else; and says whether there was one', async () => {
    await put('a', 'b')
    for (const name of ['a', 'b']) await webhookDeliveries.add(webhookName(name), [anEventAt(1), anEventAt(2)])
    const remove = (name: string) => webhooks.remove(webhookName(name))
    expect([await remove('a'), await remove('a'), await remove('nothing')]).toEqual([true, false, false])
    expect(await find('a')).toBeUndefined()
    expect(await names()).toEqual(['b'])
    const { items } = await readers.webhookDeliveries.list({ after: 0, limit: 9 })
    expect(items.map(({ webhook }) => webhook)).toEqual(['b', 'b'])
    await put('a')
    expect((await readers.webhookDeliveries.depth()).waiting).toBe(2)
    expect(await names()).toEqual(['b', 'a'])
  })

  it('lists the oldest first, stretch by stretch', async () => {
    await put('e', 'd', 'c', 'b', 'a')
    const stretches = await stretchesOf(readers.webhooks.list, 3)
    expect(stretches.map((all) => all.map(({ name }) => name))).toEqual([
      ['e', 'd', 'c'],
      ['b', 'a'],
    ])
  })

  it('keeps nothing of a unit that throws', async () => {
    await put('a')
    await undone(async (stores) => {
      await stores.webhooks.put(aWebhook('b'))
      await stores.webhookDeliveries.add(webhookName('a'), [anEventAt(1)])
      await stores.webhooks.remove(webhookName('a'))
    })
    expect(await names()).toEqual(['a'])
    expect((await readers.webhookDeliveries.depth()).waiting).toBe(0)
  })
})
