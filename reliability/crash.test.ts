import { expect, it } from 'vitest'
import { COPIES_AT_ONCE } from './fault-injection/copies-at-once.ts'
import { runRandomKills } from './run/run-random-kills.ts'

const KILLS = 3

it('no acknowledged thing is lost, and no mail, over a few kills at any instant', async () => {
  const order = { store: 'sqlite', kills: KILLS, seed: 1, rate: 80, changes: [COPIES_AT_ONCE] } as const
  const { findings, figures } = await runRandomKills(order)
  expect(findings).toEqual([])
  expect(figures.kills).toBe(KILLS)
  expect(figures.acknowledged).toBeGreaterThan(0)
})
