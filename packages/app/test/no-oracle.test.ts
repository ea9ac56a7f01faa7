import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from './distributions.ts'
import { type Classes, measure, openClasses, SETTINGS } from './known-addresses.ts'
import { Probe } from './probe.ts'
import { Home } from './running-service.ts'

const ROUNDS = 10

describe('what is known of an address', () => {
  let home: Home
  let probe: Probe
  let classes: ReadonlyMap<string, Classes>

  beforeAll(async () => {
    home = await Home.make(SETTINGS)
    classes = await openClasses(home, ROUNDS)
    await home.serveInProcess()
    probe = await Probe.open(home.port)
  })
  afterAll(async () => {
    probe?.[Symbol.dispose]()
    await home[Symbol.asyncDispose]()
  })

  it.each(['/subscribe', '/preferences'])(
    'is not revealed by POST %s: status, header fields, their order and the body are the same',
    async (path) => {
      const order = { path, classes: classes.get(path), rounds: ROUNDS, random: seeded(1) }
      const { shapes } = await measure(probe, order)
      const all = [...shapes].flatMap(([name, found]) => [...found].map((shape) => ({ name, shape })))
      expect(all[0]?.shape).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
      expect(new Set(all.map(({ name }) => name)).size).toBeGreaterThan(5)
      for (const { name, shape } of all) expect([name, shape]).toEqual([name, all[0]?.shape])
    },
  )
})
