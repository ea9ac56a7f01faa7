import { describe, expect, it } from 'vitest'
import { chanceOf, seeded, table } from './distributions.ts'
import { measure, withKnownAddresses } from './known-addresses.ts'

const ROUNDS = 300
const BATCHES = 3
/** Milliseconds: less than any network adds to one answer more than to the next. */
const NEGLIGIBLE = 0.05
const WARM_UP = 60

describe('what is known of an address', () => {
  const known = withKnownAddresses(BATCHES * ROUNDS + WARM_UP, (home) => home.serveUnwatched())

  it.each(['/subscribe', '/preferences'])(
    'is not revealed by POST %s: the times that answers take are distributed alike',
    async (path) => {
      const { probe, classes } = known()
      const random = seeded(2)
      const order = { path, classes: classes.get(path), random }
      await measure(probe, { ...order, rounds: WARM_UP })
      const found: string[] = []
      // Chance alone looks this unlikely once in a thousand times; three times running, once in a thousand million.
      for (let batch = 0; batch < BATCHES; batch++) {
        const { times } = await measure(probe, { ...order, rounds: ROUNDS })
        const chance = chanceOf(times, NEGLIGIBLE, random)
        if (chance > 0.001) return
        found.push(table(times))
      }
      expect(found).toEqual([])
    },
  )
})
