import { expect, it } from 'vitest'
import type { AuditEntry, AuditRecord, Stores } from '../src/index.ts'
import { anAuditEntry, TEXTS, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const entryOf = ({ id: _, sequence: __, ...entry }: AuditRecord): AuditEntry => entry

export const auditStoreContract = storageSuite('an audit store', ({ run, undone, stores, readers }) => {
  const append = (changes: Partial<AuditEntry> = {}) => stores.audit.append(anAuditEntry(changes))
  const unsealed = async (after = 0, limit = 200) => (await readers.audit.unsealed({ after, limit })).items
  /** Not with a true seal: a store takes any that follows the last one. */
  const seal = ({ audit }: Stores, first: number, ids: readonly number[]) =>
    audit.seal({ first, last: first + ids.length - 1, hash: 'a'.repeat(64), at: 5, mac: 'b'.repeat(64) }, ids)
  const list = (after = 0, limit = 200) => readers.audit.list({ after, limit })

  it('is empty at first', async () => {
    expect(await stores.audit.newestSeal()).toBeUndefined()
    expect(await readers.audit.head()).toBeUndefined()
    const nothing = { items: [], next: undefined }
    expect(await list()).toEqual(nothing)
    expect(await readers.audit.seals({ after: 0, limit: 9 })).toEqual(nothing)
    expect(await readers.audit.unsealed({ after: 0, limit: 9 })).toEqual(nothing)
    expect(await readers.audit.find(1)).toBeUndefined()
  })

  it('gives back every record exactly as it was appended, before it is sealed and after', async () => {
    const entries = TEXTS.map((text, n) =>
      anAuditEntry({
        at: n % 2 ? 0 : Date.now(),
        actor: text,
        roleSource: (['token', 'stored', 'operator'] as const)[n % 3] ?? 'token',
        tokenId: n % 2 ? text : undefined,
        channel: (['http', 'cli', 'library'] as const)[n % 3] ?? 'http',
        requestId: n % 3 ? text : undefined,
        action: n % 2 ? 'user.delete' : 'token.issue',
        target: n % 4 ? text : undefined,
        outcome: n % 2 ? 'done' : 'InsufficientPermissions',
        reason: n % 5 ? text : undefined,
        count: n + 1,
        rolesHash: n % 3 ? undefined : 'f'.repeat(64),
      }),
    )
    const ids: number[] = []
    for (const entry of entries) ids.push(await append(entry))
    const before = await unsealed()
    expect(before.map(entryOf)).toEqual(entries)
    expect(before.map(({ id, sequence }) => [id, sequence])).toEqual(ids.map((id) => [id, undefined]))
    await run((all) => seal(all, 1, ids))
    const { items } = await list()
    expect(items).toEqual(before.map((record, n) => ({ ...record, sequence: n + 1 })))
    expect(await readers.audit.find(ids[3] ?? 0)).toEqual(items[3])
    expect(await unsealed()).toEqual([])
  })

  it('gives each an id of its own that is greater than all before it, also after one that was undone', async () => {
    const first = await append()
    await undone(({ audit }) => audit.append(anAuditEntry({ target: 'undone' })))
    const [second, third] = await run(async ({ audit }) => [
      await audit.append(anAuditEntry()),
      await audit.append(anAuditEntry({ target: 'kept' })),
    ])
    expect(second).toBeGreaterThan(first)
    expect(third).toBeGreaterThan(second ?? 0)
    expect((await unsealed()).map(({ id, target }) => [id, target])).toEqual([
      [first, undefined],
      [second, undefined],
      [third, 'kept'],
    ])
    expect(await readers.audit.find(third ?? 0)).toMatchObject({ target: 'kept' })
  })

  it('lists what is not sealed by id, and what is by number', async () => {
    const ids: number[] = []
    for (const _ of upTo(5)) ids.push(await append())
    const first = await readers.audit.unsealed({ after: 0, limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.next).toBe(ids[1])
    expect((await unsealed(ids[2], 2)).map(({ id }) => id)).toEqual(ids.slice(3))
    // As if the third had been committed later.
    await run((all) => seal(all, 1, ids.toSpliced(2, 1)))
    expect((await list(0, 2)).items.map(({ sequence }) => sequence)).toEqual([1, 2])
    expect((await list(0, 2)).next).toBe(2)
    expect((await list(2, 2)).items.map(({ id }) => id)).toEqual(ids.slice(3))
    expect((await list(2, 2)).next).toBeUndefined()
    expect((await unsealed()).map(({ id }) => id)).toEqual([ids[2]])
    await run((all) => seal(all, 5, ids.slice(2, 3)))
    expect((await list(4)).items.map(({ id, sequence }) => [id, sequence])).toEqual([[ids[2], 5]])
  })

  it('keeps seals in the order of their records, and refuses one that does not follow the last', async () => {
    for (const _ of upTo(4)) await append()
    const ids = (await unsealed()).map(({ id }) => id)
    await run((all) => seal(all, 1, ids.slice(0, 1)))
    for (const first of [1, 3]) await expect(run((all) => seal(all, first, ids.slice(1, 2)))).rejects.toThrow()
    await run((all) => seal(all, 2, ids.slice(1, 3)))
    const seals = (after: number, limit: number) => readers.audit.seals({ after, limit })
    const { items } = await seals(0, 9)
    expect(items.map(({ first, last }) => [first, last])).toEqual([
      [1, 1],
      [2, 3],
    ])
    expect(await seals(0, 1)).toEqual({ items: items.slice(0, 1), next: 1 })
    expect((await seals(1, 1)).items).toEqual(items.slice(1))
    expect(await stores.audit.newestSeal()).toEqual(items[1])
    expect(await readers.audit.head()).toEqual(items[1])
  })

  it('gives a number only once, and takes none back', async () => {
    for (const _ of upTo(3)) await append()
    const ids = (await unsealed()).map(({ id }) => id)
    await run((all) => seal(all, 1, ids.slice(0, 2)))
    const before = await list()
    await expect(run((all) => seal(all, 3, ids.slice(0, 1)))).rejects.toThrow()
    await expect(run((all) => seal(all, 3, [999_999]))).rejects.toThrow()
    await undone((all) => seal(all, 3, ids.slice(2)))
    expect(await list()).toEqual(before)
    expect((await readers.audit.seals({ after: 0, limit: 9 })).items).toHaveLength(1)
    expect((await unsealed()).map(({ id }) => id)).toEqual(ids.slice(2))
  })
})
