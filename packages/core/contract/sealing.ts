import { expect, it } from 'vitest'
import { memoryDigests } from '../memory/memory-digests.ts'
import { isGenuine, isOn, type Readers, Sealer, type Stores, type UnitOfWork, verifyTrail } from '../src/index.ts'
import { anAuditEntry, anEvent, pause, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const digests = memoryDigests('contract')
const clock = { now: () => Date.now() }

/** The sealer of one instance. */
const sealerOn = (storage: { readonly unitOfWork: UnitOfWork; readonly readers: Readers }) =>
  new Sealer({ ...storage, clock, digests })

export const sealingContract = storageSuite('sealing', (storage) => {
  const { run, runEach, undone, atOnce, outcomesAtOnce, readers, unitOfWork, another } = storage
  const sealer = () => sealerOn({ unitOfWork, readers })
  const seal = () => sealer().seal()
  const record = ({ audit }: Stores, target: string) => audit.append(anAuditEntry({ target }))
  const both = async (stores: Stores, name: string) => {
    await record(stores, name)
    await stores.events.append(anEvent(name))
  }
  const all = { after: 0, limit: 5_000 }
  const records = async () => (await readers.audit.list(all)).items
  const targets = async () => (await records()).map(({ target }) => target)
  const events = async () => (await readers.events.list(all)).items
  const seals = async () => (await readers.audit.seals(all)).items
  const verify = () => verifyTrail(readers.audit, digests)

  /** What is promised at every moment. */
  const holds = async () => {
    const numbered = await records()
    expect(numbered.map(({ sequence }) => sequence)).toEqual(upTo(numbered.length))
    const positions = (await events()).map(({ position }) => position)
    expect(positions).toEqual(positions.map((_, n) => (positions[0] ?? 0) + n))
    const made = await seals()
    for (const [n, one] of made.entries()) {
      expect(isGenuine(digests, one)).toBe(true)
      expect(isOn(digests, one, made[n - 1], numbered.slice(one.first - 1, one.last))).toBe(true)
    }
    expect(made.at(-1)?.last ?? 0).toBe(numbered.length)
    expect(await verify()).toMatchObject({ records: numbered.length, seals: made.length, broken: undefined })
  }

  it('gives no number before it is asked to, then all of them in one seal', async () => {
    for (const n of upTo(3)) await run((stores) => both(stores, `${n}`))
    expect([await records(), await events()]).toEqual([[], []])
    expect(await readers.events.hasUnnumbered()).toBe(true)
    expect(await verify()).toMatchObject({ records: 0, unsealed: 3, broken: undefined })
    await seal()
    expect(await targets()).toEqual(['1', '2', '3'])
    expect((await events()).map(({ subject }) => subject)).toEqual(['1', '2', '3'])
    expect(await readers.events.hasUnnumbered()).toBe(false)
    expect(await seals()).toMatchObject([{ first: 1, last: 3 }])
    expect(await verify()).toMatchObject({ records: 3, seals: 1, unsealed: 0, broken: undefined })
    await holds()
  })

  it('makes no seal if nothing came', async () => {
    await seal()
    await run((stores) => both(stores, 'a'))
    await seal()
    await seal()
    expect(await seals()).toHaveLength(1)
    await run(({ events }) => events.append(anEvent('no record')))
    await seal()
    expect(await seals()).toHaveLength(1)
    expect(await events()).toHaveLength(2)
  })

  it('numbers nothing that was undone, and leaves no gap for it', async () => {
    await run((stores) => both(stores, 'a'))
    await undone((stores) => both(stores, 'undone'))
    await seal()
    await undone((stores) => both(stores, 'undone, too'))
    await run((stores) => both(stores, 'b'))
    await seal()
    expect(await targets()).toEqual(['a', 'b'])
    await holds()
  })

  it('keeps the order in which one caller committed, and what one unit appended together', async () => {
    const { errors } = await outcomesAtOnce(60, async (stores, n) => {
      await both(stores, `${n}a`)
      await both(stores, `${n}b`)
      if (n % 5 === 0) throw new Error('on purpose')
    })
    expect(errors).toHaveLength(12)
    for (const n of upTo(10)) await run((stores) => both(stores, `last ${n}`))
    await seal()
    const order = (await events()).map(({ subject }) => subject)
    expect(order.slice(-10)).toEqual(upTo(10).map((n) => `last ${n}`))
    expect((await targets()).slice(-10)).toEqual(upTo(10).map((n) => `last ${n}`))
    for (const n of upTo(60)) {
      const [a, b] = [order.indexOf(`${n}a`), order.indexOf(`${n}b`)]
      expect([a < 0, b < 0]).toEqual([n % 5 === 0, n % 5 === 0])
      expect(a).toBeLessThanOrEqual(b)
    }
    await holds()
  })

  it('never changes a number, and hides nothing from who follows them, while many write and several seal', async () => {
    const other = await another()
    const sealers = [sealer(), sealerOn(other)]
    let open = true
    const writing = atOnce(80, (stores, n) => both(stores, `${n}`)).finally(() => {
      open = false
    })
    const sealing = sealers.map(async (one) => {
      while (open) {
        await one.seal()
        await pause(1)
      }
    })
    const followed: unknown[] = []
    let after = 0
    const follow = async () => {
      const { items } = await other.readers.events.list({ after, limit: 7 })
      followed.push(...items)
      after = items.at(-1)?.position ?? after
      await pause(0)
      return items.length > 0
    }
    const seen: unknown[] = []
    while (open) {
      await follow()
      const { items } = await readers.audit.list({ after: seen.length, limit: 9 })
      seen.push(...items)
    }
    await Promise.all([writing, ...sealing])
    await seal()
    while (await follow());
    expect(followed).toEqual(await events())
    expect(followed).toHaveLength(80)
    expect(seen).toEqual((await records()).slice(0, seen.length))
    await holds()
  })

  it('goes through more than one turn of it takes', async () => {
    await runEach(upTo(2_500), (stores, n) => both(stores, `${n}`))
    await seal()
    expect(await targets()).toEqual(upTo(2_500).map(String))
    expect((await seals()).map(({ last }) => last)).toEqual([1_000, 2_000, 2_500])
    await holds()
  })

  it('is not kept from sealing by a unit that has appended and not ended, whose records come later', async () => {
    if (unitOfWork.sideBySide !== true) return
    const { promise: appended, resolve: hasAppended } = Promise.withResolvers<void>()
    const { promise: end, resolve: goOn } = Promise.withResolvers<void>()
    const slow = run(async (stores) => {
      // What only a unit with a transaction of its own does.
      await stores.webhooks.list({ after: 0, limit: 1 })
      await both(stores, 'slow')
      await stores.webhooks.list({ after: 0, limit: 1 })
      hasAppended()
      await end
    })
    await appended
    await run((stores) => both(stores, 'quick'))
    await seal()
    expect(await targets()).toEqual(['quick'])
    expect((await events()).map(({ subject }) => subject)).toEqual(['quick'])
    goOn()
    await slow
    await seal()
    expect(await targets()).toEqual(['quick', 'slow'])
    const [quick, second] = await records()
    expect(quick?.id).toBeGreaterThan(second?.id ?? 0)
    await holds()
  })

  it('shares a turn among those who ask at once, and numbers for each what was there when it asked', async () => {
    const one = sealer()
    await Promise.all(
      upTo(20).map(async (n) => {
        await run((stores) => record(stores, `${n}`))
        await one.seal()
        expect(await targets()).toContain(`${n}`)
      }),
    )
    await holds()
  })
})
