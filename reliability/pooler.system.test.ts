import { describe, expect, it } from 'vitest'
import { runPooler, TROUBLES } from './pooler/run-pooler.ts'

// Only connections are lost here, and servers that end without a word to anybody.
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' }
// Left alone, it would wait for a quarter of a minute until it tries its server again.
const SOON = { server_login_retry: '1' }

describe('behind a PgBouncer', () => {
  it('nothing acknowledged is lost, and all is well again, whichever of the two goes away', async () => {
    const troubles = 2 * TROUBLES.length
    const { findings, figures, results } = await runPooler({
      ...{ troubles, seed: 4, rate: 80 },
      ...{ postgres: QUICK, pgbouncer: SOON },
    })
    expect(findings).toEqual([])
    expect(results.map(({ times }) => times)).toEqual(TROUBLES.map(() => 2))
    expect(figures.acknowledged).toBeGreaterThan(0)
    // Without it nothing has gone wrong.
    expect(figures.unanswered).toBeGreaterThan(0)
  })
})
