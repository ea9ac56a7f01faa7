import { expect, it } from 'vitest'
import { upTo } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { type AddressHash, addressHash, MOST_ADDRESSES } from '../src/index.ts'
import { filteredLookUp, unmailable } from '../src/recipients/unmailable.ts'
import { block, undeliverable, withFeeds } from './recipients.ts'

const DIGESTS = memoryDigests('a secret for tests')
const addressOf = (n: number): string => `reader${n}@example.com`

/** What is known, and the addresses of each question for undeliverable ones. */
const watched = ({ storage: { readers } }: Awaited<ReturnType<typeof withFeeds>>) => {
  const { suppressions, deliverability } = readers
  const asked: (readonly AddressHash[])[] = []
  const undeliverable = (some: readonly AddressHash[]) => {
    asked.push(some)
    return deliverability.undeliverable(some)
  }
  return { known: { suppressions, deliverability: { ...deliverability, undeliverable } }, asked }
}

it.each([MOST_ADDRESSES, 2 * MOST_ADDRESSES + 1])('asks for %i addresses, as many at once as it may', async (count) => {
  const at = await withFeeds()
  const marked = [1, MOST_ADDRESSES, count]
  for (const n of marked) await undeliverable(at, addressOf(n))
  const { known, asked } = watched(at)
  const judge = await unmailable(known, DIGESTS, upTo(count).map(addressOf))
  expect(upTo(count).filter((n) => judge(addressOf(n)) === 'undeliverable')).toEqual([...new Set(marked)])
  expect(asked.flat()).toHaveLength(count)
  expect(Math.max(...asked.map((some) => some.length))).toBe(MOST_ADDRESSES)
  expect(judge('stranger@example.com')).toBeUndefined()
})

it('asks only for the addresses that its filter may have', async () => {
  const at = await withFeeds()
  await block(at, 'ada@example.com')
  await undeliverable(at, 'bob@example.com')
  const { known, asked } = watched(at)
  const look = await filteredLookUp(known, DIGESTS)
  const judge = await look(['ada@example.com', 'bob@example.com', 'cy@example.com'])
  expect(['ada', 'bob', 'cy'].map((name) => judge(`${name}@example.com`))).toEqual([
    'blocked',
    'undeliverable',
    undefined,
  ])
  expect(asked.flat()).not.toContain(addressHash(DIGESTS, 'cy@example.com'))
  expect((await look(['cy@example.com']))('cy@example.com')).toBeUndefined()
})
