import type { Page } from '@rollcall/core'
import { afterEach, expect, it, vi } from 'vitest'
import { type Search, searching } from '../src/tables/finding.ts'

const LAST = 30_000
const HITS = [1, 2, 9_000, 9_001, 29_999, 30_000]
const THERE = Number.MAX_SAFE_INTEGER

/** A list of so many rows, all of which have to be gone through: every look at the clock finds it 30 ms later. */
const listOf = (rows: number) => {
  let time = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 30
    return time
  })
  const looked: number[] = []
  const list = async ({ after, until = THERE, limit, downwards }: Search): Promise<Page<number>> => {
    looked.push(after)
    const [from, to] = downwards ? [until - 1, after] : [after, until + 1]
    const hits = HITS.filter((hit) => hit > from && hit < to)
    const items = (downwards ? hits.toReversed() : hits).slice(0, limit)
    return { items, next: hits.length > limit ? items.at(-1) : undefined }
  }
  return {
    looked,
    search: searching<Search, number>(list, {
      rows: async () => rows,
      terms: async () => 10_001,
      last: async () => LAST,
    }),
  }
}

afterEach(() => void vi.restoreAllMocks())

it.each([
  [true, 1],
  [true, 2],
  [true, 50],
  [false, 1],
  [false, 3],
  [false, 50],
])(
  'gives each once from pages of a long list that are given as they are in time (newest first: %s, of %i)',
  async (downwards, limit) => {
    const { search, looked } = listOf(10_001)
    const found: number[] = []
    const lengths: number[] = []
    for (let after: number | undefined = downwards ? THERE : 0; after !== undefined; ) {
      looked.length = 0
      const page: Page<number> = await search({ words: ['a'], after, limit, downwards })
      expect(looked.length).toBeLessThan(4)
      found.push(...page.items)
      lengths.push(page.items.length)
      after = page.next
    }
    expect(found).toEqual(downwards ? HITS.toReversed() : HITS)
    expect(lengths.length).toBeGreaterThan(2)
  },
)

it('goes through a short list at once', async () => {
  const { search } = listOf(10_000)
  expect(await search({ words: ['a'], after: 0, limit: 50 })).toEqual({ items: HITS, next: undefined })
})
