import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anAuditEntry } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { chained, follows } from '../src/audit/hash-chain.ts'
import type { AuditRecord } from '../src/index.ts'

const digests = memoryDigests('any: the chain has no key')
const chain = (length: number): AuditRecord[] => {
  const records: AuditRecord[] = []
  for (let n = 0; n < length; n++)
    records.push(
      chained(digests, records.at(-1), anAuditEntry({ at: n, target: `t${n}`, reason: n % 2 ? 'why' : undefined })),
    )
  return records
}
const holds = (records: readonly AuditRecord[]): boolean =>
  records.every((record, n) => follows(digests, records[n - 1], record))

describe('the chain of the audit trail', () => {
  it('begins at 1 and goes on without gaps', () => {
    expect(chain(3).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    expect(holds(chain(5))).toBe(true)
  })

  it('is the same for ever: a hash that was once made does not change', () => {
    const full = { tokenId: 't', requestId: 'r', target: 'x', reason: 'why', count: 3 }
    expect(chained(digests, undefined, anAuditEntry()).hash).toBe(FIRST_HASH)
    expect(chained(digests, chain(1)[0], anAuditEntry(full)).hash).toBe(SECOND_HASH)
  })

  it('shows the change of any field of any record', () => {
    const records = chain(4)
    const other: Partial<AuditRecord>[] = [
      { at: 99 },
      { actor: 'x' },
      { roleSource: 'stored' },
      { tokenId: 'x' },
      { channel: 'cli' },
      { requestId: 'x' },
      { rolesHash: 'x' },
      { action: 'feed.put' },
      { target: 'x' },
      { outcome: 'x' },
      { reason: 'x' },
      { count: 2 },
      { sequence: 9 },
      { hash: '0'.repeat(64) },
    ]
    expect(other.map((change) => Object.keys(change)[0]).sort()).toEqual(Object.keys(records[0]!).sort())
    for (const n of [0, 1, 3])
      for (const change of other) expect(holds(records.with(n, { ...records[n]!, ...change }))).toBe(false)
  })

  it('shows that a record was taken out, put in, or moved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 7 }), (from, to) => {
        const records = chain(8)
        expect(holds(records.toSpliced(from, 1))).toBe(false)
        expect(holds(records.toSpliced(to, 0, records[from]!))).toBe(false)
        if (from !== to) expect(holds(records.toSpliced(from, 1).toSpliced(to, 0, records[from]!))).toBe(false)
      }),
      { numRuns: 20 },
    )
  })
})

const FIRST_HASH = '9f5ef7f090a728fd4b4f06913936792102c8840689598194f098d2d65f172366'
const SECOND_HASH = 'b2245c5aba3603a38b30c6bedd2aacde1c01b850203ae2b8fa0f63a471c29fd0'
