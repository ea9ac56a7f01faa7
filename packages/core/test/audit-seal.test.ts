import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anAuditEntry } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { type AuditSeal, isGenuine, isOn, readSeal, type SealedRecord, sealOn, sealText } from '../src/index.ts'

const digests = memoryDigests('a secret')
const records = (length: number, first = 1): SealedRecord[] =>
  Array.from({ length }, (_, n) => ({
    ...anAuditEntry({ at: n, target: `t${n}`, reason: n % 2 ? 'why' : undefined }),
    id: 2 * (first + n),
    sequence: first + n,
  }))
const holds = (kept: readonly SealedRecord[], seal: AuditSeal, before?: AuditSeal) => isOn(digests, seal, before, kept)

describe('a seal', () => {
  const first = sealOn(digests, undefined, records(4), 7)
  const second = sealOn(digests, first, records(2, 5), 9)

  it('says from where to where it reaches, and follows the one before', () => {
    expect([first, second]).toMatchObject([
      { first: 1, last: 4, at: 7 },
      { first: 5, last: 6, at: 9 },
    ])
    expect(holds(records(4), first)).toBe(true)
    expect(holds(records(2, 5), second, first)).toBe(true)
    expect(holds(records(2, 5), second)).toBe(false)
    expect(holds(records(2, 5), second, { ...first, mac: second.mac })).toBe(false)
  })

  it('is the same for ever: what was once sealed stays so', () => {
    const full = {
      ...records(1)[0],
      tokenId: 't',
      requestId: 'r',
      target: 'x',
      reason: 'why',
      count: 3,
    } as SealedRecord
    expect(sealText(sealOn(memoryDigests('for ever'), undefined, [full], 1))).toBe(FOR_EVER)
  })

  it('shows the change of any field of any record', () => {
    const other: Partial<SealedRecord>[] = [
      { id: 99 },
      { sequence: 9 },
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
    ]
    const all = records(4)
    expect(other.map((change) => Object.keys(change)[0]).sort()).toEqual(Object.keys(all[0]!).sort())
    for (const n of [0, 1, 3])
      for (const change of other) expect(holds(all.with(n, { ...all[n]!, ...change }), first)).toBe(false)
  })

  it('shows that a record was taken out, put in, or moved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 7 }), (from, to) => {
        const all = records(8)
        const seal = sealOn(digests, undefined, all, 1)
        expect(holds(all.toSpliced(from, 1), seal)).toBe(false)
        expect(holds(all.toSpliced(to, 0, all[from]!), seal)).toBe(false)
        if (from !== to) expect(holds(all.toSpliced(from, 1).toSpliced(to, 0, all[from]!), seal)).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('cannot be made, or changed, without the secret', () => {
    expect(isGenuine(digests, first)).toBe(true)
    expect(isGenuine(memoryDigests('another'), first)).toBe(false)
    const changes: Partial<AuditSeal>[] = [
      { first: 2 },
      { last: 5 },
      { hash: second.hash },
      { at: 8 },
      { mac: second.mac },
    ]
    expect(changes.map((change) => Object.keys(change)[0])).toEqual(Object.keys(first))
    for (const change of changes) expect(isGenuine(digests, { ...first, ...change })).toBe(false)
  })

  it('is read as it was written, and nothing else is', () => {
    expect(readSeal(` ${sealText(second)}\n`)).toEqual(second)
    for (const text of [
      '',
      'nonsense',
      sealText(first).slice(1),
      `${sealText(first)}0`,
      sealText(first).replace('-', '.'),
    ])
      expect(readSeal(text)).toBeUndefined()
  })
})

const FOR_EVER =
  '1-1.5ce60f5aed576b1d567ea739200b9b1a33f33de34426fc896725c8ebeadeef7c.1.0e8937d672224fdc41b3adb8c5607d1243b5276abd05d8a3c464cd1efb741ce3'
