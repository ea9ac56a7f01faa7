import { expect, it } from 'vitest'
import { type AddressHash, addressHash } from '../src/index.ts'
import { filteredLookUp } from '../src/recipients/unmailable.ts'
import { block, digests, undeliverable, withFeeds } from './recipients.ts'

/** What is known, and the addresses of each question for undeliverable ones. */
const watched = ({ storage: { readers } }: Awaited<ReturnType<typeof withFeeds>>) => {
  const { suppressions, deliverability } = readers
  const asked: (readonly AddressHash[])[] = []
  const findMany = (some: readonly AddressHash[]) => {
    asked.push(some)
    return deliverability.findMany(some)
  }
  return { known: { suppressions, deliverability: { ...deliverability, findMany } }, asked }
}

it('asks only for the addresses that its filter may have', async () => {
  const at = await withFeeds()
  await block(at, 'ada@example.com')
  await undeliverable(at, 'bob@example.com')
  const { known, asked } = watched(at)
  const look = await filteredLookUp(known, digests)
  const judge = await look(['ada@example.com', 'bob@example.com', 'cy@example.com'])
  expect(['ada', 'bob', 'cy'].map((name) => judge(`${name}@example.com`))).toEqual([
    'blocked',
    'undeliverable',
    undefined,
  ])
  expect(asked.flat()).not.toContain(addressHash(digests, 'cy@example.com'))
  expect((await look(['cy@example.com']))('cy@example.com')).toBeUndefined()
})
