import { describe, expect, it } from 'vitest'
import { seeded } from './distributions.ts'
import { measure, withKnownAddresses } from './known-addresses.ts'

const ROUNDS = 10

describe('what is known of an address', () => {
  const known = withKnownAddresses(ROUNDS, (home) => home.serveInProcess())

  it.each(['/subscribe', '/preferences'])(
    'is not revealed by POST %s: status, header fields, their order and the body are the same',
    async (path) => {
      const { probe, classes } = known()
      const order = { path, classes: classes.get(path), rounds: ROUNDS, random: seeded(1) }
      const { shapes } = await measure(probe, order)
      const all = [...shapes].flatMap(([name, found]) => [...found].map((shape) => ({ name, shape })))
      expect(all[0]?.shape).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(5)
      for (const { name, shape } of all) expect([name, shape]).toEqual([name, all[0]?.shape])
    },
  )
})
