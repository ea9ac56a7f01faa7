import { operator } from '@rollcall/core'
import { openMemoryService } from '@rollcall/core/memory'
import { expect, it } from 'vitest'
import { Verifications } from '../src/verifications.ts'

const ADA = operator('ada')
const BOB = operator('bob')

/** Each look at the clock is a second later. */
const verifications = (useCases: ConstructorParameters<typeof Verifications>[0] = openMemoryService().useCases) => {
  let now = 0
  return new Verifications(useCases, () => (now += 1_000))
}

it('keeps one under way for a caller, and four of all', async () => {
  const all = verifications()
  const first = all.begin(0, ADA)
  const second = all.begin(0, ADA)
  expect([all.find(first.id, ADA), all.find(second.id, ADA)]).toEqual([undefined, second])
  expect(all.find(second.id, BOB)).toBeUndefined()
  const others = ['b', 'c', 'd', 'e'].map((name) => [all.begin(0, operator(name)), operator(name)] as const)
  expect(all.find(second.id, ADA)).toBeUndefined()
  for (const [{ id }, caller] of others) expect(all.find(id, caller)?.id).toBe(id)
})

it('does one step for two who ask at once', async () => {
  let pieces = 0
  const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>()
  const verifyAudit = {
    async *inPieces() {
      for (;;) {
        await waiting
        pieces++
        yield { records: pieces, seals: 0 }
      }
    },
  }
  const all = verifications({ verifyAudit } as never)
  const { id } = all.begin(9, ADA)
  const step = all.goOn(id, ADA)
  expect(await all.goOn(id, ADA)).toMatchObject({ id, records: 0 })
  goOn()
  // Two pieces of a second each.
  expect(await step).toMatchObject({ id, records: 2, result: undefined })
})

it('forgets one that broke, which cannot go on', async () => {
  const verifyAudit = {
    async *inPieces() {
      yield { records: 1, seals: 0 }
      throw new Error('the storage is gone')
    },
  }
  const all = verifications({ verifyAudit } as never)
  const { id } = all.begin(9, ADA)
  await expect(all.goOn(id, ADA)).rejects.toThrow('the storage is gone')
  expect(all.find(id, ADA)).toBeUndefined()
})
