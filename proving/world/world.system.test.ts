import { expect, it } from 'vitest'
import { isWithin, type Row } from '../shared/report.ts'
import { LOSSES, takeOver } from './fail-over.ts'
import { pgbouncer } from './pgbouncer.ts'
import { type Tool, whatIsMissing } from './tools.ts'

const QUICK = { seed: 4, times: 1, isQuick: true, log: () => undefined }

const expectGood = (rows: readonly Row[], least: number): void => {
  expect(rows.filter((row) => !isWithin(row))).toEqual([])
  expect(rows.length).toBeGreaterThan(least)
}

it('a PgBouncer or its server comes and goes under load, pools transactions for a while, and nothing is lost', async () => {
  expectGood(await pgbouncer.run(QUICK), 7)
})

it.each(LOSSES.slice(0, 2))('nothing is lost as $name and a standby takes over', async (loss) => {
  expectGood(await takeOver(QUICK, loss), 3)
})

it('what is missing is named with the one command that installs all of it', () => {
  const tool = (name: string): Tool => ({ name, packages: [name] })
  const find = (name: string) => (name === 'there' ? '/there' : undefined)
  expect(whatIsMissing([tool('there')], find)).toEqual([])
  expect(whatIsMissing([tool('one'), tool('there'), tool('other')], find)).toEqual([
    'one is missing.',
    'other is missing.',
    'On Debian: apt-get install --no-install-recommends one other',
  ])
})
