import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { CLAIM, IN_ORDER } from '../../src/postgres/stores/outbox.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const ENTRIES = 1_000
const WORKERS = 8
const ORPHANS = 100
const SHORT = 1_000
/** Milliseconds that the server's clock and ours may be apart: they count them in different places. */
const CLOCKS = 10

const owe = (url: string) =>
  lookAt(url, (client) =>
    client.query(
      `INSERT INTO outbox (kind, subscription_id, address, message_id, created_at, not_before)
        SELECT 'confirmation', n, n::text, n || '@x', 1, 1 FROM generate_series(1, $1::bigint) AS n`,
      [ENTRIES],
    ),
  )

it('eight workers take every entry once, and what a ninth had when it was gone as soon as its lease is over', async () => {
  const url = await sharedDatabase()
  await owe(url)
  const gone = await openStorage(url)
  const leaseOver = performance.now() + SHORT
  const orphans = await gone.unitOfWork.run(({ outbox }) =>
    outbox.claim({ owner: 'gone', limit: ORPHANS, leaseFor: SHORT }),
  )
  await gone.close()
  const taken = new Map<number, string>()
  const early: number[] = []
  const work = async (owner: string): Promise<void> => {
    const { unitOfWork } = await openStorage(`${url}?pool=4`)
    while (taken.size < ENTRIES) {
      const entries = await unitOfWork.run(({ outbox }) => outbox.claim({ owner, limit: 20, leaseFor: 60_000 }))
      for (const { id } of entries) {
        expect([id, taken.get(id)]).toEqual([id, undefined])
        taken.set(id, owner)
        if (orphans.some((orphan) => orphan.id === id) && performance.now() < leaseOver - CLOCKS) early.push(id)
      }
      await unitOfWork.run(({ outbox }) => outbox.remove(...entries.map(({ id }) => id)))
      if (entries.length === 0) await sleep(20)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, n) => work(`worker-${n}`)))
  expect([orphans.length, early, taken.size]).toEqual([ORPHANS, [], ENTRIES])
  expect(await lookAt(url, async (client) => (await client.query('SELECT id FROM outbox')).rows)).toEqual([])
})

it('finds the mails of a claim in the order of an index, however long the backlog is that nothing was counted of', async () => {
  const url = await sharedDatabase()
  await lookAt(url, (client) => client.query('ALTER TABLE outbox SET (autovacuum_enabled = off)'))
  for (let times = 0; times < 5; times++) await owe(url)
  const plan = await lookAt(url, async (client) => {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off')
    await client.query(IN_ORDER.text)
    const { rows } = await client.query(`EXPLAIN ${CLAIM.text}`, ['one', 20, 60_000])
    await client.query('ROLLBACK; DELETE FROM outbox')
    return rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Limit[\s\S]*?->\s+LockRows[^\n]*\n\s*->\s+Index Scan using outbox_due/)
  // It ends where the first begins that is not due.
  expect(plan).toMatch(/Index Cond: \(not_before <= /)
})
