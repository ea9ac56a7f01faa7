import { expect, it } from 'vitest'
import type { AddressHash } from '../src/index.ts'
import { HashFilter, type HashPrefixes, PREFIX_DIGITS } from '../src/recipients/hash-filter.ts'

const hashOf = (number: number): AddressHash => number.toString(16).padStart(6, '0').padEnd(32, '7') as AddressHash

/** Answers that go on behind one another. */
const inPieces =
  (pieces: readonly (readonly number[])[]) =>
  async (after: number): Promise<HashPrefixes<number>> => ({
    prefixes: (pieces[after] ?? []).map((one) => hashOf(one).slice(0, PREFIX_DIGITS)).join(''),
    next: after + 1 < pieces.length ? after + 1 : undefined,
  })

it('knows what it was given, from the first piece to the last, and that others were not', async () => {
  const filter = new HashFilter()
  await filter.add(0, inPieces([[0, 1], [], [0xabcdef, 0xffffff]]))
  expect([0, 1, 0xabcdef, 0xffffff].map((one) => filter.mayHave(hashOf(one)))).toEqual([true, true, true, true])
  expect([2, 8, 0xabcdee, 0xabcdf7, 0xfffffe].some((one) => filter.mayHave(hashOf(one)))).toBe(false)
  expect(filter.isEmpty).toBe(false)
})

it('is empty as long as it was given nothing', async () => {
  const filter = new HashFilter()
  await filter.add(0, inPieces([[]]))
  expect([filter.isEmpty, filter.mayHave(hashOf(0))]).toEqual([true, false])
})

it('says "perhaps" of every hash where it was given too many', async () => {
  const filter = new HashFilter()
  const prefixes = hashOf(5).slice(0, PREFIX_DIGITS).repeat(100_000)
  let asked = 0
  await filter.add(0, async () => ({ prefixes, next: ++asked }))
  expect([filter.mayHave(hashOf(6)), asked]).toEqual([true, 41])
})
