import type { DataMigrationOutcome } from '@rollcall/cli'
import { describe, expect, it } from 'vitest'
import { openTestCli } from './terminal.ts'

const MOVED: DataMigrationOutcome = {
  from: '/data/rollcall.db',
  to: 'db.example.com:5432/rollcall',
  resumed: false,
  interrupted: false,
  copied: 7,
  tables: [
    { table: 'feed', rows: 1 },
    { table: 'subscription', rows: 6 },
  ],
  differences: [],
  audit: { records: 3, broken: null },
}

const ORDER = ['migrate-data', '--from', 'sqlite:rollcall.db', '--to', 'postgres://db.example.com/rollcall']

const openWith = (changes: Partial<DataMigrationOutcome>) => {
  const orders: unknown[] = []
  const { run } = openTestCli({
    migrateData: async (order, { onProgress }) => {
      orders.push(order)
      onProgress({ doing: 'copying', rows: 7, total: 7 })
      onProgress({ doing: 'comparing', rows: 7, total: 7 })
      return { ...MOVED, ...changes }
    },
  })
  return { run, orders }
}

describe('rollcall migrate-data', () => {
  it('names every table with its rows, and what to do next', async () => {
    const { run, orders } = openWith({})
    const { exitCode, stdout, stderr } = await run(ORDER)
    expect(exitCode).toBe(0)
    expect(orders).toEqual([{ from: 'sqlite:rollcall.db', to: 'postgres://db.example.com/rollcall' }])
    expect(stdout).toMatch(/^TABLE\s+ROWS\nfeed\s+1\nsubscription\s+6\n/)
    expect(stdout).toContain('Copied 7 rows from /data/rollcall.db to db.example.com:5432/rollcall in ')
    expect(stdout).toContain('The audit trail holds: 3 records.')
    expect(stderr).toBe('')
  })

  it('says how many rows there are where an earlier run had copied some', async () => {
    const sentence = /Copied (\d+) rows from .* in [\d.]+ s\.(.*)\n/
    const said = async (copied: number) => sentence.exec((await openWith({ copied }).run(ORDER)).stdout)?.slice(1)
    expect(await said(7)).toEqual(['7', ' Compared every column of all 7 rows.'])
    expect(await said(0)).toEqual(['0', ' An earlier run had copied 7. Compared every column of all 7 rows.'])
  })

  it('gives machines all of it as one document', async () => {
    const { stdout } = await openWith({}).run([...ORDER, '--json'])
    expect(JSON.parse(stdout)).toEqual({ ...MOVED, seconds: expect.any(Number) })
  })

  it('exits 130 where it was stopped, and says that it goes on', async () => {
    const { exitCode, stderr } = await openWith({ interrupted: true, audit: undefined }).run(ORDER)
    expect(exitCode).toBe(130)
    expect(stderr).toBe('error: Interrupted after 7 rows. Run the same command again: it goes on from there.\n')
  })

  it('exits 3 where a row is not the same, and names its table and key', async () => {
    const differences = [
      { table: 'subscription', key: [17], kind: 'column', column: 'name' },
      { table: 'user_role', key: ['admin', 4], kind: 'missing' },
    ] as const
    const { run } = openWith({ differences, audit: undefined })
    const { exitCode, stdout, stderr } = await run(ORDER)
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^TABLE\s+KEY\s+WHAT\nsubscription\s+17\s+another name\nuser_role\s+admin, 4\s+missing\n$/)
    expect(stderr).toContain('begin again with an empty database')
    const asked = await run([...ORDER, '--json'])
    expect(JSON.parse(asked.stdout)).toMatchObject({ differences, audit: null })
    expect(JSON.parse(asked.stderr)).toMatchObject({ error: 'DataDiffers' })
  })

  it('exits 3 where the trail was broken before, which the move keeps as it was', async () => {
    const { exitCode, stderr } = await openWith({ audit: { records: 2, broken: 3 } }).run(ORDER)
    expect(exitCode).toBe(3)
    expect(stderr).toContain('the audit trail does not hold at record 3')
  })

  it('needs both databases', async () => {
    const { run } = openWith({})
    expect((await run(ORDER.slice(0, 3))).exitCode).toBe(2)
  })
})
