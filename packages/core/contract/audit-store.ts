import { expect, it } from 'vitest'
import { memoryDigests } from '../memory/memory-digests.ts'
import { checkpointOf } from '../src/audit/audit-checkpoint.ts'
import { chained, follows } from '../src/audit/hash-chain.ts'
import type { AuditEntry, Stores } from '../src/index.ts'
import { anAuditEntry, TEXTS, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const digests = memoryDigests('contract')

export const auditStoreContract = storageSuite('an audit store', ({ run, undone, atOnce, stores, readers }) => {
  const appendTo = async ({ audit }: Stores, changes: Partial<AuditEntry> = {}) =>
    audit.append(chained(digests, await audit.last(), anAuditEntry(changes)))
  const append = (changes: Partial<AuditEntry> = {}) => run((stores) => appendTo(stores, changes))
  const list = (after = 0, limit = 200) => readers.audit.list({ after, limit })

  it('has no last record when it is empty', async () => {
    expect(await stores.audit.last()).toBeUndefined()
    expect(await list()).toEqual({ items: [], next: undefined })
  })

  it('gives back every record exactly as it was appended, so that its hash still holds', async () => {
    for (const [n, text] of TEXTS.entries())
      await append({
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
      })
    const { items } = await list()
    expect(items.map(({ sequence }) => sequence)).toEqual(upTo(TEXTS.length))
    expect(items.map(({ actor }) => actor)).toEqual(TEXTS)
    for (const [n, record] of items.entries()) expect(follows(digests, items[n - 1], record)).toBe(true)
    expect(await stores.audit.last()).toEqual(items.at(-1))
    expect(items[0]).toEqual(chained(digests, undefined, items[0] ?? anAuditEntry()))
  })

  it('lists the oldest first, from any sequence number on', async () => {
    for (const _ of upTo(5)) await append()
    const first = await list(0, 2)
    expect(first.items.map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(first.next).toBe(2)
    expect((await list(3, 2)).items.map(({ sequence }) => sequence)).toEqual([4, 5])
    expect((await list(3, 2)).next).toBeUndefined()
    expect((await list(5)).items).toEqual([])
  })

  it('shows a unit the record that it has just appended as the last', async () => {
    const sequences = await run(async (stores) => {
      await appendTo(stores)
      await appendTo(stores)
      return (await stores.audit.last())?.sequence
    })
    expect(sequences).toBe(2)
  })

  it('takes no record but the one whose turn it is', async () => {
    await append()
    for (const sequence of [0, 1, 3]) {
      const wrong = stores.audit.append({ ...anAuditEntry(), sequence, hash: `h${sequence}` })
      await expect(wrong).rejects.toThrow()
    }
    expect((await list()).items).toHaveLength(1)
  })

  it('gives the number of a record that was undone to the next', async () => {
    await append()
    await undone((stores) => appendTo(stores))
    await append({ target: 'kept' })
    expect((await list()).items.map(({ sequence, target }) => [sequence, target])).toEqual([
      [1, undefined],
      [2, 'kept'],
    ])
  })

  it('keeps checkpoints in the order of their records, and refuses one for what is sealed already', async () => {
    const seal = () =>
      run(async ({ audit }) => {
        const last = await audit.last()
        const checkpoint = checkpointOf(digests, last ?? chained(digests, undefined, anAuditEntry()), Date.now())
        await audit.addCheckpoint(checkpoint)
        return checkpoint
      })
    expect(await stores.audit.lastCheckpoint()).toBeUndefined()
    expect(await readers.audit.head()).toBeUndefined()
    const made = []
    for (const _ of upTo(3)) {
      await append()
      made.push(await seal())
    }
    const list = (after: number, limit: number) => readers.audit.checkpoints({ after, limit })
    expect(await list(0, 9)).toEqual({ items: made, next: undefined })
    expect(await list(0, 2)).toEqual({ items: made.slice(0, 2), next: 2 })
    expect((await list(2, 2)).items).toEqual(made.slice(2))
    expect(await stores.audit.lastCheckpoint()).toEqual(made[2])
    expect(await readers.audit.head()).toEqual(made[2])
    await expect(seal()).rejects.toThrow()
    expect((await list(0, 9)).items).toHaveLength(3)
  })

  it('makes one chain without gaps of what many units append at the same time, on any number of handles', async () => {
    await atOnce(50, (stores, n) => appendTo(stores, { target: `t${n}` }))
    const { items } = await list()
    expect(items.map(({ sequence }) => sequence)).toEqual(upTo(50))
    expect(new Set(items.map(({ target }) => target)).size).toBe(50)
    for (const [n, record] of items.entries()) expect(follows(digests, items[n - 1], record)).toBe(true)
  })
})
