import { describe, expect, it } from 'vitest'
import { COPIES_AT_ONCE } from './fault-injection/copies-at-once.ts'
import { runPooler, TROUBLES } from './pooler/run-pooler.ts'

// No crash safety is needed here.
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' }
// By default it waits 15 seconds before it tries its server again.
const SOON = { server_login_retry: '1' }

describe('behind a PgBouncer', () => {
  it('nothing acknowledged is lost, and all is well again, whichever of the two goes away', async () => {
    const troubles = 2 * TROUBLES.length
    const { findings, figures, results } = await runPooler({
      ...{ troubles, seed: 4, rate: 80, changes: [COPIES_AT_ONCE] },
      ...{ postgres: QUICK, pgbouncer: SOON },
    })
    expect(findings).toEqual([])
    expect(results.map(({ times }) => times)).toEqual(TROUBLES.map(() => 2))
    expect(figures.acknowledged).toBeGreaterThan(0)
    // Otherwise the outage had no effect.
    expect(figures.unanswered).toBeGreaterThan(0)
  })
})
