import { describe, expect, it } from 'vitest'
import { runFailOver } from './run-fail-over.ts'
import { behindPooler, leaderAndStandby } from './troubles.ts'

// No crash safety is needed behind a pooler.
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' }
// By default it waits 15 seconds before it tries its server again.
const SOON = { server_login_retry: '1' }
const LIGHT = { rate: 80, awaitsCopies: false }

describe('nothing acknowledged is lost, and all is well again', () => {
  it('whichever goes away, a PgBouncer or the server behind it', async () => {
    await using setting = await behindPooler(QUICK, SOON)
    const troubles = 2 * setting.troubles.length
    const { findings, figures, results } = await runFailOver({ setting, troubles, seed: 4, ...LIGHT })
    expect(findings).toEqual([])
    expect(results.map(({ times }) => times)).toEqual(setting.troubles.map(() => 2))
    expect(figures.acknowledged).toBeGreaterThan(0)
    // Otherwise the outage had no effect.
    expect(figures.unanswered).toBeGreaterThan(0)
  })

  it('whether the leader hands over or is killed', async () => {
    for (const kind of [0, 1]) {
      await using setting = await leaderAndStandby({ shared_buffers: '64MB' })
      const only = setting.troubles[kind]
      const { findings, figures, results } = await runFailOver({ setting, troubles: 1, only, seed: 5, ...LIGHT })
      expect(findings).toEqual([])
      expect(results.map(({ times }) => times)).toEqual([1])
      expect(figures.acknowledged).toBeGreaterThan(0)
    }
  })
})
