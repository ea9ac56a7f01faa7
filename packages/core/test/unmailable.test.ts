import { expect, it } from 'vitest'
import { upTo } from '../contract/samples.ts'
import { memoryDigests } from '../memory/index.ts'
import { addressHash, MOST_ADDRESSES } from '../src/index.ts'
import { filteredLookUp, unmailable } from '../src/recipients/unmailable.ts'
import { block, undeliverable, withFeeds } from './recipients.ts'

const DIGESTS = memoryDigests('a secret for tests')
const addressOf = (n: number): string => `reader${n}@example.com`

it.each([MOST_ADDRESSES, 2 * MOST_ADDRESSES + 1])('asks for %i addresses, as many at once as it may', async (count) => {
  const at = await withFeeds()
  const marked = [1, MOST_ADDRESSES, count]
  for (const n of marked) await undeliverable(at, addressOf(n))
  const { suppressions, deliverability } = at.storage.readers
  const asked: number[] = []
  const counting = {
    suppressions,
    deliverability: {
      ...deliverability,
      undeliverable: (some: Parameters<typeof deliverability.undeliverable>[0]) => {
        asked.push(some.length)
        return deliverability.undeliverable(some)
      },
    },
  }
  const judge = await unmailable(counting, DIGESTS, upTo(count).map(addressOf))
  expect(upTo(count).filter((n) => judge(addressOf(n)) === 'undeliverable')).toEqual([...new Set(marked)])
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(count)
  expect(Math.max(...asked)).toBe(MOST_ADDRESSES)
  expect(judge('stranger@example.com')).toBeUndefined()
})

it('knows by its filter whom nothing stands in the way of, and asks for the others alone', async () => {
  const at = await withFeeds()
  await block(at, 'ada@example.com')
  await undeliverable(at, 'bob@example.com')
  const { suppressions, deliverability } = at.storage.readers
  const asked: string[] = []
  const look = await filteredLookUp(
    {
      suppressions,
      deliverability: {
        ...deliverability,
        undeliverable: (some: Parameters<typeof deliverability.undeliverable>[0]) => {
          asked.push(...some)
          return deliverability.undeliverable(some)
        },
      },
    },
    DIGESTS,
  )
  const judge = await look(['ada@example.com', 'bob@example.com', 'cy@example.com'])
  expect(['ada', 'bob', 'cy'].map((name) => judge(`${name}@example.com`))).toEqual([
    'blocked',
    'undeliverable',
    undefined,
  ])
  expect(asked).not.toContain(addressHash(DIGESTS, 'cy@example.com'))
  expect((await look(['cy@example.com']))('cy@example.com')).toBeUndefined()
})
