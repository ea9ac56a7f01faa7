import { expect, it } from 'vitest'
import { anAuditEntry } from '../contract/samples.ts'
import { MemoryClock, memoryDigests, openMemoryStorage } from '../memory/index.ts'
import { lookBack, lookForward } from '../src/audit/look-through.ts'
import { Sealer } from '../src/index.ts'

/** A trail of which the first records are sealed. */
const openTrail = async (sealed: number, unsealed: number) => {
  const clock = new MemoryClock(0)
  const { unitOfWork, readers } = openMemoryStorage(clock)
  const sealer = new Sealer({ unitOfWork, readers, digests: memoryDigests('a secret for tests'), clock })
  const append = (first: number, count: number) =>
    unitOfWork.run(async ({ audit }) => {
      for (let n = first; n < first + count; n++) await audit.append(anAuditEntry({ target: `user-${n}` }))
    })
  await append(1, sealed)
  await sealer.seal()
  await append(sealed + 1, unsealed)
  return { audit: readers.audit, sealer }
}

type Trail = Awaited<ReturnType<typeof openTrail>>

const namesFrom = async (
  { audit }: Trail,
  order: 'newest' | 'oldest',
  limit: number,
  { target, onPage }: { readonly target?: string; readonly onPage?: (n: number) => Promise<void> } = {},
) => {
  const found: (string | undefined)[] = []
  let place: number | undefined
  for (let n = 1; n === 1 || place !== undefined; n++) {
    const page: Awaited<ReturnType<typeof lookBack>> = await (order === 'oldest'
      ? lookForward(audit, { target }, { after: place ?? 0, limit })
      : lookBack(audit, { target }, { before: place, limit }))
    expect(page.items.length).toBeLessThanOrEqual(limit)
    expect(page.next).not.toBe(place ?? null)
    found.push(...page.items.map((record) => record.target))
    place = page.next
    await onPage?.(n)
  }
  return found
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `user-${n + 1}`)

it.each([
  [0, 7],
  [3, 7],
  [4, 4],
  [8, 1],
  [5, 0],
  [0, 0],
  [1, 450],
])('reads all of a trail of which %i are sealed and %i are not, in both directions', async (sealed, unsealed) => {
  const trail = await openTrail(sealed, unsealed)
  const all = names(sealed + unsealed)
  for (const limit of [4, 200]) {
    expect(await namesFrom(trail, 'oldest', limit)).toEqual(all)
    expect(await namesFrom(trail, 'newest', limit)).toEqual(all.toReversed())
  }
  const target = all.at(-1)
  if (target !== undefined) expect(await namesFrom(trail, 'oldest', 2, { target })).toEqual([target])
})

it.each(['oldest', 'newest'] as const)(
  'leaves nothing out and shows nothing twice that is sealed meanwhile (%s)',
  async (order) => {
    for (const when of [1, 2, 3]) {
      const trail = await openTrail(3, 7)
      const onPage = async (n: number) => {
        if (n === when) await trail.sealer.seal()
      }
      const all = names(10)
      expect(await namesFrom(trail, order, 2, { onPage })).toEqual(order === 'oldest' ? all : all.toReversed())
    }
  },
)

it('goes on behind records that were removed, and shows nothing twice', async () => {
  const { audit, sealer } = await openTrail(12, 0)
  const isKept = (sequence: number) => sequence < 3 || sequence > 8
  const list: typeof audit.list = async ({ after, limit }) => {
    const { items } = await audit.list({ after: 0, limit: 99 })
    const kept = items.filter(({ sequence }) => sequence > after && isKept(sequence)).slice(0, limit)
    return { items: kept, next: undefined }
  }
  const rest = names(12).filter((_, n) => isKept(n + 1))
  for (const limit of [1, 2, 3, 5, 200]) {
    const trail = { audit: { ...audit, list }, sealer }
    expect(await namesFrom(trail, 'oldest', limit)).toEqual(rest)
    expect(await namesFrom(trail, 'newest', limit)).toEqual(rest.toReversed())
  }
})

it('reads nothing unsealed before the end of what is sealed, and leaves nothing out that is sealed right before that', async () => {
  const trail = await openTrail(12, 3)
  let reads = 0
  const unsealed: typeof trail.audit.unsealed = async (stretch) => {
    reads++
    await trail.sealer.seal()
    return await trail.audit.unsealed(stretch)
  }
  const { items } = await lookForward({ ...trail.audit, unsealed }, {}, { after: 0, limit: 4 })
  expect([items.length, reads]).toEqual([4, 0])
  expect(await namesFrom({ ...trail, audit: { ...trail.audit, unsealed } }, 'oldest', 4)).toEqual(names(15))
  expect(reads).toBe(2)
})
