import { describe, expect, it } from 'vitest'
import { aConsent, aSubscription, begin, TEXTS, upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const consentStoreContract = (open: OpenStorage) =>
  describe('a consent store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const subscribe = (...ids: number[]) => run((stores) => begin(stores, ...ids.map((id) => aSubscription(id))))
    const list = (id: number) => run(({ consents }) => consents.list(id))

    it('has nothing where nothing was recorded', async () => {
      await subscribe(1)
      expect(await list(1)).toEqual([])
      expect(await run(({ consents }) => consents.last(1))).toBeUndefined()
    })

    it('gives back every record exactly, oldest first, whatever time it bears', async () => {
      await subscribe(1, 2)
      const records = TEXTS.map((text, n) =>
        aConsent({
          at: 1_000 - n,
          deed: (['requested', 'confirmed', 'refused', 'ended'] as const)[n % 4] ?? 'ended',
          via: text,
          clientAddress: n % 2 ? '192.0.2.0/24' : undefined,
          userAgent: n % 3 ? text : undefined,
          wording: text,
          language: n % 2 ? undefined : 'de-CH',
          count: n + 1,
        }),
      )
      await run(async ({ consents }) => {
        for (const record of records) await consents.append(1, record)
        await consents.append(2, aConsent({ via: 'other' }))
      })
      expect(await list(1)).toEqual(records)
      expect(await run(({ consents }) => consents.last(1))).toEqual(records.at(-1))
      expect(await list(2)).toEqual([aConsent({ via: 'other' })])
    })

    it('counts a repetition in the last record of that subscription alone', async () => {
      await subscribe(1, 2)
      await run(async ({ consents }) => {
        await consents.append(1, aConsent({ via: 'first' }))
        await consents.append(1, aConsent({ via: 'last' }))
        await consents.append(2, aConsent())
      })
      await Promise.all(upTo(5).map(() => run(({ consents }) => consents.countRepetition(1))))
      expect(await list(1)).toEqual([aConsent({ via: 'first' }), aConsent({ via: 'last', count: 6 })])
      expect(await list(2)).toEqual([aConsent()])
    })

    it('gives a reader each subscription with its records, and nothing for an unknown id', async () => {
      await subscribe(1, 2)
      const records = upTo(3).map((n) => aConsent({ via: `${n}` }))
      await run(async ({ consents }) => {
        for (const record of records) await consents.append(1, record)
      })
      const find = (id: number) => storage.readers.subscriptions.findEvidence(id)
      expect(await find(1)).toEqual({ subscription: aSubscription(1), consents: records })
      expect(await find(2)).toEqual({ subscription: aSubscription(2), consents: [] })
      expect(await find(3)).toBeUndefined()
      expect(await run(({ subscriptions }) => subscriptions.findEvidence(1))).toEqual(await find(1))
    })
  })
