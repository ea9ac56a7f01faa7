import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, somePostgres } from '../shared/postgres-store.ts'
import { FAULT_MODES, type FaultMode } from './fault-modes.ts'
import { runManyWorkers } from './many-workers.ts'
import { runRandomKills } from './random-kills.ts'
import { runRelayFaults } from './relay-faults.ts'

const KILLS = 12
const LIGHT = { rate: 80, awaitsCopies: false }

let server: PostgresServer
beforeAll(async () => {
  // Only the service is killed here.
  server = await somePostgres({ fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' })
})
afterAll(() => server.stop())

describe.each(['sqlite', 'postgres'] as const)('on %s', (store) => {
  it('no acknowledged thing is lost, and no mail, over kills at any instant', async () => {
    const { findings, figures } = await runRandomKills({
      server: store === 'postgres' ? server.url : undefined,
      kills: KILLS,
      seed: 1,
      ...LIGHT,
    })
    expect(findings).toEqual([])
    expect(figures.kills).toBe(KILLS)
    expect(figures.acknowledged).toBeGreaterThan(0)
  })
})

it('mails come, are parked or wait for their copy, whatever the relay does', async () => {
  const quick = ({ step, fault }: FaultMode): boolean => step === 'dot' && !('act' in fault && fault.act === 'hang')
  const modes = FAULT_MODES.filter(quick)
  const { findings, modes: results } = await runRelayFaults({
    ...{ mails: 4, seed: 3, modes, awaitsCopies: false },
  })
  expect(findings).toEqual([])
  expect(results.map(({ delivered, parked, waiting }) => delivered + parked + waiting)).toEqual(modes.map(() => 4))
})

it('several instances deliver one outbox, and take over what one of them held when it was killed', async () => {
  const { findings, figures } = await runManyWorkers({ server: server.url, mails: 400, workers: 2, seed: 5 })
  expect(findings).toEqual([])
  expect(figures.delivered).toBeGreaterThan(300)
})
