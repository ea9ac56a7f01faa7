import { describe, expect, it } from 'vitest'
import { aFeed, feedName, TEXTS, upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const feedStoreContract = (open: OpenStorage) =>
  describe('a feed store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const find = (name: string) => storage.readers.feeds.find(feedName(name))
    const namesOf = async (after: number, limit: number) => {
      const { items, next } = await storage.readers.feeds.list({ after, limit })
      return { names: items.map(({ name }) => name), next }
    }

    it('has the feed `default` from the start, first in its list', async () => {
      expect((await find('default'))?.name).toBe('default')
      expect(await run(({ feeds }) => feeds.find(feedName('default')))).toEqual(await find('default'))
      expect(await namesOf(0, 9)).toEqual({ names: ['default'], next: undefined })
    })

    it('finds nothing where there is no such feed', async () => {
      for (const name of ['news', 'Default', 'defaul', '']) expect(await find(name)).toBeUndefined()
    })

    it('gives back every feed exactly as it was put', async () => {
      const all = TEXTS.map((text, n) =>
        aFeed(`f${n}`, {
          title: text,
          description: text.repeat(10),
          language: n % 2 ? 'pt-BR' : undefined,
          updatedAt: n,
        }),
      )
      await run(async ({ feeds }) => {
        for (const feed of all) await feeds.put(feed)
      })
      for (const feed of all) expect(await find(feed.name)).toEqual(feed)
    })

    it('takes names of 64 characters', async () => {
      const name = 'x'.repeat(64)
      await run(({ feeds }) => feeds.put(aFeed(name)))
      expect(await find(name)).toEqual(aFeed(name))
    })

    it('replaces the feed with the same name, which keeps its place', async () => {
      await run(async ({ feeds }) => {
        await feeds.put(aFeed('b', { language: 'de' }))
        await feeds.put(aFeed('a'))
      })
      const changes = { title: 'Changed', description: 'too', language: undefined, updatedAt: 7 }
      await run(async ({ feeds }) => {
        await feeds.put(aFeed('b', changes))
        await feeds.put(aFeed('default', changes))
      })
      expect(await find('b')).toEqual(aFeed('b', changes))
      expect(await find('default')).toEqual(aFeed('default', changes))
      expect((await namesOf(0, 9)).names).toEqual(['default', 'b', 'a'])
    })

    it('lists the oldest first, stretch by stretch', async () => {
      await run(async ({ feeds }) => {
        for (const n of upTo(5)) await feeds.put(aFeed(`f${9 - n}`))
      })
      const first = await namesOf(0, 4)
      expect(first.names).toEqual(['default', 'f8', 'f7', 'f6'])
      expect(await namesOf(first.next ?? 0, 4)).toEqual({ names: ['f5', 'f4'], next: undefined })
    })
  })
