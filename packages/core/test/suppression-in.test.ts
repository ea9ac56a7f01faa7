import { expect, it } from 'vitest'
import { hashOf } from '../contract/samples.ts'
import type { AddressHash, StoredSuppression } from '../src/index.ts'
import { suppressionIn } from '../src/suppressions/mailbox-hashes.ts'

const refused = (since: number): StoredSuppression => ({ cause: 'refused', since, block: undefined })
const neverAgain = (since: number): StoredSuppression => ({ cause: 'never-again', since, block: undefined })
const blocked = (since: number): StoredSuppression => ({
  ...({ cause: 'blocked', since } as const),
  block: { cause: 'blocked', since },
})

const hashes = { address: hashOf('a'), mailbox: hashOf('b'), untagged: hashOf('c') }

it.each<[string, Partial<Record<'a' | 'b' | 'c', StoredSuppression>>, object | undefined]>([
  ['nothing', {}, undefined],
  ['what the address has', { a: refused(1) }, refused(1)],
  ['else what its mailbox has', { b: refused(2) }, refused(2)],
  ['else what the address without its tag has', { c: refused(3) }, refused(3)],
  ['the one of the address before that of its mailbox', { a: refused(1), b: neverAgain(2) }, refused(1)],
  ['a block of the mailbox beside it', { a: refused(1), b: blocked(2) }, { ...refused(1), block: blocked(2).block }],
  ['what its owner said beside a block', { a: blocked(1), c: refused(2) }, { ...refused(2), block: blocked(1).block }],
])('finds %s', (_, stored, expected) => {
  const found = new Map(
    Object.entries(stored).map(([digit, one]): [AddressHash, StoredSuppression] => [hashOf(digit), one]),
  )
  expect(suppressionIn(found, hashes)).toEqual(expected)
})
