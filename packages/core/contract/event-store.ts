import { expect, it } from 'vitest'
import type { DomainEvent, EventRecord } from '../src/index.ts'
import { anEvent, EVENT_SAMPLES, pause, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const eventStoreContract = storageSuite('an event store', (storage) => {
  const { runEach, alike, undone, atOnce, outcomesAtOnce, stores, another } = storage
  const list = (after = 0, limit = 200) => alike(({ events }) => events.list({ after, limit }))
  const append = (...all: DomainEvent[]) => runEach(all, ({ events }, event) => events.append(event))
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
      expect(await events.last()).toBe((items[2]?.position ?? 0) + 1)
    })
    expect(await last()).toBe(items[2]?.position)
  })

  it('shows a unit its own events, and no reader those of a unit that threw', async () => {
    await append(anEvent('before'))
    await undone(async ({ events }) => {
      await events.append(anEvent('undone'))
      expect(subjectsOf((await events.list({ after: 0, limit: 9 })).items)).toEqual(['before', 'undone'])
    })
    await append(anEvent('after'))
    const { items } = await list()
    expect(subjectsOf(items)).toEqual(['before', 'after'])
    // A reader that continues from a position would take a gap for a missed event.
    expect(items[1]?.position).toBe((items[0]?.position ?? 0) + 1)
  })

  it('loses no event and leaves no gap when many units append at the same time, on any number of handles', async () => {
    const { errors } = await outcomesAtOnce(60, async ({ events }, n) => {
      await events.append(anEvent(`${n}a`))
      await events.append(anEvent(`${n}b`))
      if (n % 5 === 0) throw new Error('on purpose')
    })
    expect(errors).toHaveLength(12)
    const { items } = await list()
    const first = items[0]?.position ?? 0
    expect(positionsOf(items)).toEqual(upTo(96).map((n) => first + n - 1))
    const subjects = subjectsOf(items)
    for (const n of upTo(60)) {
      const at = subjects.indexOf(`${n}a`)
      expect(at < 0).toBe(n % 5 === 0)
      if (at >= 0) expect(subjects[at + 1]).toBe(`${n}b`)
    }
  })

  it('hides no event from a reader that follows the cursors meanwhile', async () => {
    const other = await another()
    let open = true
    const appending = atOnce(40, ({ events }, n) => events.append(anEvent(`${n}`))).finally(() => {
      open = false
    })
    const followed: EventRecord[] = []
    const follow = async () => {
      const { items } = await other.readers.events.list({ after: followed.at(-1)?.position ?? 0, limit: 7 })
      followed.push(...items)
      // A store that answers at once must not keep the units from their turn.
      await pause(0)
      return items.length > 0
    }
    while (open) await follow()
    await appending
    while (await follow());
    expect(followed).toEqual((await list()).items)
    expect(followed).toHaveLength(40)
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
