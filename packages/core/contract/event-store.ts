import { expect, it } from 'vitest'
import type { DomainEvent, EventRecord } from '../src/index.ts'
import { anEvent, EVENT_SAMPLES, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const eventStoreContract = storageSuite('an event store', (storage) => {
  const { run, runEach, alike, undone, stores } = storage
  const list = (after = 0, limit = 200) => alike(({ events }) => events.list({ after, limit }))
  const number = () => run(({ events }) => events.number(1_000))
  const append = async (...all: DomainEvent[]) => {
    await runEach(all, ({ events }, event) => events.append(event))
    await number()
  }
  const prune = (before: number, limit = 100) => stores.events.prune(before, limit)
  const positionsOf = (events: readonly EventRecord[]) => events.map(({ position }) => position)
  const subjectsOf = (events: readonly EventRecord[]) => events.map(({ subject }) => subject)

  it('is empty where nothing happened', async () => {
    expect(await list()).toEqual({ items: [], next: undefined })
    expect(await prune(THEN)).toBe(0)
  })

  it('gives back every event exactly, in the order in which they were appended, whatever time they bear', async () => {
    const all = EVENT_SAMPLES.map(({ position: _, ...event }) => event)
    await append(...all)
    const { items } = await list()
    expect(items).toEqual(all.map((event, n) => ({ ...event, position: (items[0]?.position ?? 0) + n })))
  })

  it('gives the position of each as the cursor behind it, without gaps', async () => {
    await append(...upTo(5).map((n) => anEvent(`s${n}`)))
    const first = await list(0, 2)
    expect(subjectsOf(first.items)).toEqual(['s1', 's2'])
    expect(first.next).toBe(first.items[1]?.position)
    const second = await list(first.next, 3)
    expect(subjectsOf(second.items)).toEqual(['s3', 's4', 's5'])
    expect(second.next).toBeUndefined()
    const last = second.items[2]?.position ?? 0
    expect(positionsOf([...first.items, ...second.items])).toEqual(upTo(5).map((n) => last - 5 + n))
    expect((await list(last)).items).toEqual([])
  })

  it('says where the newest one is, also once those before it are forgotten', async () => {
    const last = () => alike(({ events }) => events.last())
    expect(await last()).toBe(0)
    await append(...upTo(3).map((n) => anEvent(`s${n}`, { at: n })))
    const { items } = await list()
    expect(await last()).toBe(items[2]?.position)
    expect(await prune(4)).toBe(2)
    expect(await last()).toBe(items[2]?.position)
    await undone(async ({ events }) => {
      await events.append(anEvent('undone'))
      await events.number(9)
      expect(await events.last()).toBe((items[2]?.position ?? 0) + 1)
    })
    expect(await last()).toBe(items[2]?.position)
  })

  it('lists none that has no position, and says whether there is one', async () => {
    const unnumbered = () => alike(({ events }) => events.hasUnnumbered())
    expect(await unnumbered()).toBe(false)
    await append(anEvent('before'))
    await undone(async ({ events }) => {
      await events.append(anEvent('undone'))
      expect(await events.hasUnnumbered()).toBe(true)
      expect(subjectsOf((await events.list({ after: 0, limit: 9 })).items)).toEqual(['before'])
    })
    expect(await unnumbered()).toBe(false)
    await run(({ events }) => events.append(anEvent('after')))
    expect(await unnumbered()).toBe(true)
    expect(subjectsOf((await list()).items)).toEqual(['before'])
    expect(await number()).toBe(1)
    expect(await number()).toBe(0)
    const { items } = await list()
    expect(subjectsOf(items)).toEqual(['before', 'after'])
    // A reader that continues from a position would take a gap for a missed event.
    expect(items[1]?.position).toBe((items[0]?.position ?? 0) + 1)
  })

  it('numbers no more than the limit at once', async () => {
    await runEach(upTo(5), ({ events }, n) => events.append(anEvent(`s${n}`)))
    expect(await run(({ events }) => events.number(2))).toBe(2)
    expect(subjectsOf((await list()).items)).toEqual(['s1', 's2'])
    expect(await run(({ events }) => events.number(9))).toBe(3)
    expect(subjectsOf((await list()).items)).toEqual(['s1', 's2', 's3', 's4', 's5'])
  })

  it('forgets nothing that has no position yet', async () => {
    await append(anEvent('a', { at: 1 }), anEvent('b', { at: 2 }))
    await run(({ events }) => events.append(anEvent('c', { at: 3 })))
    expect(await prune(THEN)).toBe(1)
    await number()
    expect(subjectsOf((await list()).items)).toEqual(['b', 'c'])
  })

  it('forgets the oldest from before the given time, no more than the limit at once, and says how many', async () => {
    await append(...upTo(6).map((n) => anEvent(`s${n}`, { at: n * 100 })))
    expect(await prune(100)).toBe(0)
    expect(await prune(400, 2)).toBe(2)
    expect(subjectsOf((await list()).items)).toEqual(['s3', 's4', 's5', 's6'])
    expect([await prune(400, 2), await prune(400, 2)]).toEqual([1, 0])
    expect(subjectsOf((await list()).items)).toEqual(['s4', 's5', 's6'])
  })

  it('keeps what follows an event that stays, so that no gap comes about when a clock was set back', async () => {
    await append(anEvent('old', { at: 1 }), anEvent('new', { at: 500 }), anEvent('set back', { at: 2 }))
    await append(anEvent('newest', { at: 600 }))
    expect(await prune(100)).toBe(1)
    expect(subjectsOf((await list()).items)).toEqual(['new', 'set back', 'newest'])
  })

  it('keeps the newest whatever its age, so that no position ever comes again', async () => {
    await append(...upTo(3).map((n) => anEvent(`s${n}`, { at: n })))
    const { items } = await list()
    expect(await prune(THEN)).toBe(2)
    expect(await prune(THEN)).toBe(0)
    expect((await list()).items).toEqual(items.slice(2))
    await append(anEvent('next'))
    const last = items[2]?.position ?? 0
    expect(positionsOf((await list()).items)).toEqual([last, last + 1])
    // A cursor of before goes on with what is left.
    expect(subjectsOf((await list(items[0]?.position)).items)).toEqual(['s3', 'next'])
  })

  it('forgets nothing for a unit that throws', async () => {
    await append(anEvent('a', { at: 1 }), anEvent('b', { at: 2 }))
    await undone(({ events }) => events.prune(THEN, 10))
    expect(subjectsOf((await list()).items)).toEqual(['a', 'b'])
  })
})
