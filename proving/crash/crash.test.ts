import { expect, it } from 'vitest'
import { runRandomKills } from './random-kills.ts'

const KILLS = 3

it('no acknowledged thing is lost, and no mail, over a few kills at any instant', async () => {
  const { findings, figures } = await runRandomKills({
    ...{ kills: KILLS, seed: 1, rate: 80, awaitsCopies: false },
  })
  expect(findings).toEqual([])
  expect(figures.kills).toBe(KILLS)
  expect(figures.acknowledged).toBeGreaterThan(0)
})
