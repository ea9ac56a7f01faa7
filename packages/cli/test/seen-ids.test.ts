import { describe, expect, it } from 'vitest'
import { SeenIds } from '../src/bulk/id-list.ts'

describe('the ids that a list has had', () => {
  it('are new once and then never again, also when there are many alike', () => {
    const seen = new SeenIds()
    const ids = Array.from({ length: 200_000 }, (_, at) => `user-${at}`)
    expect(ids.filter((id) => !seen.add(id))).toEqual([])
    expect(ids.filter((id) => seen.add(id))).toEqual([])
  })
})
