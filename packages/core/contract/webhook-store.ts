import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, type SecretSeed } from '../src/index.ts'
import { anEvent, anEventAt, aWebhook, THEN, upTo, VISIBLE_ASCII, webhookName } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const webhookStoreContract = (open: OpenStorage) =>
  describe('a webhook store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const find = (name: string) => storage.readers.webhooks.find(webhookName(name))
    const put = (...names: string[]) =>
      run(async ({ webhooks }) => {
        for (const name of names) await webhooks.put(aWebhook(name))
      })
    const namesOf = async (after: number, limit: number) => {
      const { items, next } = await storage.readers.webhooks.list({ after, limit })
      return { names: items.map(({ name }) => name), next }
    }
    const progressOf = (name: string) => run(({ webhookDeliveries }) => webhookDeliveries.progress(webhookName(name)))

    it('has none from the start', async () => {
      expect(await find('shop')).toBeUndefined()
      expect(await run(({ webhooks }) => webhooks.find(webhookName('shop')))).toBeUndefined()
      expect(await namesOf(0, 9)).toEqual({ names: [], next: undefined })
      expect(await progressOf('shop')).toBeUndefined()
    })

    it('gives back every webhook exactly as it was put', async () => {
      const all = [
        aWebhook('plain'),
        aWebhook('x'.repeat(64), { url: `https://example.com/${VISIBLE_ASCII}`, types: ['user.deleted'] }),
        aWebhook('rotated', { previousSecret: { seed: 'ff'.repeat(16) as SecretSeed, until: THEN + 1 } }),
        aWebhook('off', { types: EVENT_TYPES.slice(2, 5), disabled: { because: 'by-hand', since: THEN + 2 } }),
        aWebhook('failing', { disabled: { because: 'failing', since: 0 }, createdAt: 1, updatedAt: 2 }),
        aWebhook('gone', { disabled: { because: 'gone', since: THEN } }),
      ]
      await run(async ({ webhooks }) => {
        for (const webhook of all) await webhooks.put(webhook)
      })
      for (const webhook of all) {
        expect(await find(webhook.name)).toEqual(webhook)
        expect(await run(({ webhooks }) => webhooks.find(webhook.name))).toEqual(webhook)
      }
      expect((await storage.readers.webhooks.list({ after: 0, limit: 200 })).items).toEqual(all)
    })

    it('replaces the webhook with the same name, which keeps its place and its progress', async () => {
      await put('b', 'a')
      const progress = { cursor: 7, failures: 2, failingSince: THEN, pausedUntil: THEN + 1 }
      await run(({ webhookDeliveries }) => webhookDeliveries.putProgress(webhookName('b'), progress))
      const changed = aWebhook('b', {
        url: 'https://example.net/',
        types: ['user.created'],
        secret: 'aa'.repeat(16) as SecretSeed,
        previousSecret: { seed: 'bb'.repeat(16) as SecretSeed, until: 5 },
        disabled: { because: 'gone', since: 6 },
        updatedAt: 7,
      })
      await run(({ webhooks }) => webhooks.put(changed))
      expect(await find('b')).toEqual(changed)
      expect((await namesOf(0, 9)).names).toEqual(['b', 'a'])
      expect(await progressOf('b')).toEqual(progress)
      await put('b')
      expect(await find('b')).toEqual(aWebhook('b'))
    })

    it('has a new webhook begin behind the newest event, and nothing failed', async () => {
      await put('first')
      await run(async ({ events }) => {
        for (const n of upTo(3)) await events.append(anEvent(`s${n}`))
      })
      await put('second')
      const newest = (await storage.readers.events.list({ after: 0, limit: 9 })).items.at(-1)?.position ?? 0
      const unharmed = { failures: 0, failingSince: undefined, pausedUntil: 0 }
      expect(await progressOf('first')).toEqual({ cursor: newest - 3, ...unharmed })
      expect(await progressOf('second')).toEqual({ cursor: newest, ...unharmed })
    })

    it('removes a webhook with its deliveries, and nothing else; and says whether there was one', async () => {
      await put('a', 'b')
      await run(async ({ webhookDeliveries }) => {
        for (const name of ['a', 'b']) await webhookDeliveries.add(webhookName(name), [anEventAt(1), anEventAt(2)])
      })
      const remove = (name: string) => run(({ webhooks }) => webhooks.remove(webhookName(name)))
      expect([await remove('a'), await remove('a'), await remove('nothing')]).toEqual([true, false, false])
      expect(await find('a')).toBeUndefined()
      expect((await namesOf(0, 9)).names).toEqual(['b'])
      const { items } = await storage.readers.webhookDeliveries.list({ after: 0, limit: 9 })
      expect(items.map(({ webhook }) => webhook)).toEqual(['b', 'b'])
      await put('a')
      expect((await storage.readers.webhookDeliveries.depth()).waiting).toBe(2)
      expect((await namesOf(0, 9)).names).toEqual(['b', 'a'])
    })

    it('lists the oldest first, stretch by stretch', async () => {
      await put('e', 'd', 'c', 'b', 'a')
      const first = await namesOf(0, 3)
      expect(first.names).toEqual(['e', 'd', 'c'])
      expect(await namesOf(first.next ?? 0, 3)).toEqual({ names: ['b', 'a'], next: undefined })
    })

    it('keeps nothing of a unit that throws', async () => {
      await put('a')
      const broken = run(async ({ webhooks, webhookDeliveries }) => {
        await webhooks.put(aWebhook('b'))
        await webhookDeliveries.add(webhookName('a'), [anEventAt(1)])
        await webhooks.remove(webhookName('a'))
        throw new Error('on purpose')
      })
      await expect(broken).rejects.toThrow('on purpose')
      expect((await namesOf(0, 9)).names).toEqual(['a'])
      expect((await storage.readers.webhookDeliveries.depth()).waiting).toBe(0)
    })
  })
