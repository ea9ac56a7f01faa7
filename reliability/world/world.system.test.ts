import { expect, it } from 'vitest'
import { pgbouncer } from './scenarios/pgbouncer.ts'

it('a PgBouncer comes and goes under the load of the world, pools transactions for a while, and nothing is lost', async () => {
  const reports = await pgbouncer.run({
    ...{ seed: 1, seconds: 1, switchovers: 0, kills: 0 },
    program: () => undefined,
    log: () => undefined,
  })
  for (const { findings, rows } of reports) {
    expect(findings).toEqual([])
    expect(rows.map((row) => row['answered 500'])).toEqual(rows.map(() => 0))
    // Otherwise nothing was asked.
    for (const row of rows) expect(row.acknowledged).toBeGreaterThan(0)
  }
  expect(reports.length).toBeGreaterThan(0)
})
