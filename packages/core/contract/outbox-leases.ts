import { describe, expect, it } from 'vitest'
import { aMail, outcomesOf, pause, upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

const LONG = 60_000
const SHORT = 40

export const outboxLeasesContract = (open: OpenStorage) =>
  describe('the leases of an outbox store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const owe = (...messageIds: string[]) =>
      run(async ({ outbox }) => {
        const ids: number[] = []
        for (const messageId of messageIds) ids.push(await outbox.add(aMail(messageId, { notBefore: ids.length })))
        return ids
      })
    const oweOne = async () => {
      const [id = 0] = await owe('m')
      return id
    }
    const claim = (owner: string, leaseFor = LONG, limit = 50) =>
      run(({ outbox }) => outbox.claim({ owner, limit, leaseFor }))
    const idsClaimed = async (owner: string, leaseFor = LONG, limit = 50) =>
      (await claim(owner, leaseFor, limit)).map(({ id }) => id)
    const settle = (id: number, owner: string) => run(({ outbox }) => outbox.settle(id, owner))
    const find = (id: number) => storage.readers.outbox.find(id)

    it('go to what is due, longest due first, up to the limit, and count the attempt', async () => {
      const soon = Date.now() + LONG
      const ids = await run(async ({ outbox }) => ({
        later: await outbox.add(aMail('later', { notBefore: soon })),
        third: await outbox.add(aMail('third', { notBefore: 3_000 })),
        first: await outbox.add(aMail('first', { notBefore: 1_000 })),
        second: await outbox.add(aMail('second', { notBefore: 2_000 })),
      }))
      const claimed = await claim('w', LONG, 2)
      expect(claimed.map(({ messageId }) => messageId)).toEqual(['first', 'second'])
      expect(claimed.map(({ attempts }) => attempts)).toEqual([1, 1])
      expect(claimed[0]).toEqual(await find(ids.first))
      expect(await idsClaimed('w')).toEqual([ids.third])
      expect((await find(ids.later))?.attempts).toBe(0)
    })

    it('are held by one owner at a time', async () => {
      await owe('a', 'b', 'c')
      expect(await idsClaimed('one')).toHaveLength(3)
      expect(await idsClaimed('two')).toEqual([])
      expect(await idsClaimed('one')).toEqual([])
    })

    it('never overlap when many owners claim at the same time, on any number of handles', async () => {
      const other = await storage.another()
      const ids = await owe(...upTo(60).map((n) => `m${n}`))
      const claims = await Promise.all(
        upTo(12).map((n) =>
          (n % 2 ? storage : other).unitOfWork.run(({ outbox }) =>
            outbox.claim({ owner: `owner ${n}`, limit: 7, leaseFor: LONG }),
          ),
        ),
      )
      const claimed = claims.flat().map(({ id }) => id)
      expect(claimed.sort((a, b) => a - b)).toEqual(ids)
    })

    it('leave no trace of a claim that was undone', async () => {
      const id = await oweOne()
      const broken = run(async ({ outbox }) => {
        await outbox.claim({ owner: 'w', limit: 1, leaseFor: LONG })
        throw new Error('on purpose')
      })
      await outcomesOf([broken])
      expect(await find(id)).toMatchObject({ attempts: 0 })
      expect(await idsClaimed('v')).toEqual([id])
    })

    it('run out: then the entry is due again for anybody, and every attempt is counted', async () => {
      const id = await oweOne()
      await claim('one', SHORT)
      await pause(2 * SHORT)
      const [taken] = await claim('two')
      expect(taken).toMatchObject({ id, attempts: 2 })
      expect(await idsClaimed('one')).toEqual([])
    })

    it('that have run out are not given to their own owner, who is at work on it still', async () => {
      const id = await oweOne()
      await claim('one', SHORT)
      await pause(2 * SHORT)
      expect(await idsClaimed('one')).toEqual([])
      expect(await settle(id, 'one')).toBe(true)
    })

    it('are renewed all at once, for the owner alone', async () => {
      const mine = await owe('a', 'b')
      const claimed = await run(async ({ outbox }) => {
        const entries = await outbox.claim({ owner: 'one', limit: 50, leaseFor: 10 * SHORT })
        await outbox.renew('one', LONG)
        return entries.map(({ id }) => id)
      })
      expect(claimed).toEqual(mine)
      const theirs = await owe('c', 'd')
      expect(await idsClaimed('two', SHORT)).toEqual(theirs)
      await run(({ outbox }) => outbox.renew('one', LONG))
      await pause(12 * SHORT)
      expect(await idsClaimed('three')).toEqual(theirs)
    })

    it('that were taken over are not renewed', async () => {
      await owe('a')
      await claim('one', SHORT)
      await pause(2 * SHORT)
      await claim('two', SHORT)
      await run(({ outbox }) => outbox.renew('one', LONG))
      await pause(2 * SHORT)
      expect(await idsClaimed('three')).toHaveLength(1)
    })

    it('end with the entry when their owner settles it', async () => {
      const id = await oweOne()
      await claim('one')
      expect(await settle(id, 'one')).toBe(true)
      expect(await find(id)).toBeUndefined()
      expect(await settle(id, 'one')).toBe(false)
    })

    it('keep everybody else from settling, postponing and parking', async () => {
      const id = await oweOne()
      const touch = async (owner: string) => {
        const postponement = { notBefore: 0, attempted: true, error: 'theirs' }
        expect(await settle(id, owner)).toBe(false)
        await run(({ outbox }) => outbox.postpone(id, owner, postponement))
        await run(({ outbox }) => outbox.park(id, owner, 'theirs'))
      }
      const before = await find(id)
      await touch('no worker holds it')
      expect(await find(id)).toEqual(before)
      await claim('one', SHORT)
      await pause(2 * SHORT)
      const [held] = await claim('two')
      await touch('one')
      expect(await find(id)).toEqual(held)
      expect(await idsClaimed('three')).toEqual([])
      expect(await settle(id, 'two')).toBe(true)
    })

    it('are given back by postponing: not due before the time, with the last error', async () => {
      const id = await oweOne()
      await claim('one')
      const notBefore = Date.now() + LONG
      await run(({ outbox }) => outbox.postpone(id, 'one', { notBefore, attempted: true, error: 'busy' }))
      expect(await find(id)).toMatchObject({ attempts: 1, lastError: 'busy', notBefore, parkedAt: undefined })
      expect(await settle(id, 'one')).toBe(false)
      expect(await idsClaimed('two')).toEqual([])
    })

    it('that were postponed go to anybody when the time has come', async () => {
      const id = await oweOne()
      await claim('one')
      const notBefore = Date.now() + SHORT
      await run(({ outbox }) => outbox.postpone(id, 'one', { notBefore, attempted: true, error: 'busy' }))
      await pause(2 * SHORT)
      const [again] = await claim('two')
      expect(again).toMatchObject({ id, attempts: 2, lastError: 'busy' })
    })

    it('count no attempt that was not made', async () => {
      const id = await oweOne()
      for (const _ of upTo(3)) {
        await claim('one')
        await run(({ outbox }) => outbox.postpone(id, 'one', { notBefore: 0, attempted: false }))
      }
      expect(await find(id)).toMatchObject({ attempts: 0, lastError: undefined })
    })

    it('are given back by parking: due for no worker', async () => {
      const id = await oweOne()
      await claim('one', SHORT)
      await run(({ outbox }) => outbox.park(id, 'one', 'no'))
      await pause(2 * SHORT)
      expect(await idsClaimed('two')).toEqual([])
      expect(await settle(id, 'one')).toBe(false)
    })

    it('are not taken away by a retry', async () => {
      const id = await oweOne()
      await claim('one')
      await run(({ outbox }) => outbox.retry(id))
      expect(await idsClaimed('two')).toEqual([])
      expect(await settle(id, 'one')).toBe(true)
    })
  })
