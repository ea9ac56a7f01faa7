import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COPIES_AT_ONCE } from './fault-injection/copies-at-once.ts'
import type { SourceChange } from './fault-injection/source-change.ts'
import { pointsOf } from './points/points.ts'
import { runPoints } from './points/run-points.ts'
import { runRandomKills } from './run/run-random-kills.ts'
import { FAULT_MODES, type FaultMode } from './smtp-faults/modes.ts'
import { runSmtpFaults } from './smtp-faults/run-smtp-faults.ts'
import { type PostgresServer, somePostgres } from './stores/postgres-store.ts'

const STORES = ['sqlite', 'postgres'] as const
const KILLS = 3

/** A shorter lease, so that orphaned mails are taken over in seconds. */
const SOON: SourceChange = {
  file: 'packages/core/src/outbox/claim-mails.ts',
  find: 'LEASE = 45 * SECOND',
  replace: 'LEASE = 3 * SECOND',
}

const LIGHT = { rate: 80, changes: [SOON, COPIES_AT_ONCE] }

let server: PostgresServer
beforeAll(async () => {
  // Only the service is killed here.
  server = await somePostgres({ fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' })
})
afterAll(() => server.stop())

// Each point in one of the stores: all of them in both take minutes.
describe.each(STORES)('on %s', (store) => {
  it('no acknowledged thing is lost, and no mail, over kills at any instant', async () => {
    const { findings, figures } = await runRandomKills({ store, server: server.url, kills: KILLS, seed: 1, ...LIGHT })
    expect(findings).toEqual([])
    expect(figures.kills).toBe(KILLS)
    expect(figures.acknowledged).toBeGreaterThan(0)
  })

  it('nor over a kill at each named point', async () => {
    const points = pointsOf(store)
      .filter(({ killer }) => !(killer.by === 'harness' && killer.during === 'migration'))
      .filter((_, index) => index % STORES.length === STORES.indexOf(store))
    const order = { store, server: server.url, points, kills: points.length, seed: 2, ...LIGHT }
    const { findings, figures } = await runPoints(order)
    expect(findings).toEqual([])
    expect(figures.kills).toBe(points.length)
  })
})

it('mails come or are parked, whatever the relay does', async () => {
  const quick = ({ step, fault }: FaultMode): boolean => step === 'dot' && !('act' in fault && fault.act === 'hang')
  const modes = FAULT_MODES.filter(quick)
  const { findings, modes: results } = await runSmtpFaults({ store: 'sqlite', mails: 4, seed: 3, modes })
  expect(findings).toEqual([])
  expect(results.map(({ delivered, parked }) => delivered + parked)).toEqual(modes.map(() => 4))
})
