import { describe, expect, it } from 'vitest'
import { change, deedsOf, eventsFrom, statuses, suppressionOf, withLink } from './preferences.ts'

const HUNDRED = Array.from({ length: 100 })

describe('pressing again', () => {
  it.each([
    ['subscribe', { feed: 'news' }, 2],
    ['subscribe', { feed: 'offers' }, 2],
    ['end', { feed: 'default' }, 1],
    ['end-all', {}, 2],
    ['never-again', {}, 2],
    ['allow', {}, 0],
  ])('%s %o is as good as pressing once, a hundred at a time', async (action, more, deeds) => {
    const { at, ids, token } = await withLink()
    const count = async () =>
      (await Promise.all(Object.values(ids).map((id) => deedsOf(at, id)))).reduce((sum, one) => sum + one.length, 0)
    const before = await count()
    const results = await Promise.all(HUNDRED.map(() => change(at, token, action, more)))
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect((await count()) - before).toBe(deeds)
    const later = await eventsFrom(at, () => change(at, token, action, more))
    expect(later).toEqual([])
  })

  it('lets a hundred different changes at a time each be whole', async () => {
    const { at, ids, token } = await withLink()
    const actions = ['subscribe', 'end', 'never-again', 'allow']
    await Promise.allSettled(HUNDRED.map((_, n) => change(at, token, actions[n % 4]!, { feed: 'news' })))
    const deeds = await deedsOf(at, ids.news)
    for (let n = 0; n < deeds.length; n++)
      if (deeds[n] === 'confirmed via preferences') expect(deeds[n - 1]).toMatch(/^requested/)
    expect(await statuses(at, token)).toMatchObject({ default: 'ended', offers: 'ended' })
    expect(await suppressionOf(at)).toBeUndefined()
  })
})
