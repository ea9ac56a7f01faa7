import { expect, it } from 'vitest'
import { fromSource } from '../shared/service.ts'
import { isWithin } from '../target/rows.ts'
import { pgbouncer } from './pgbouncer.ts'
import { type Tool, whatIsMissing } from './tools.ts'

it('a PgBouncer comes and goes under load, pools transactions for a while, and nothing is lost', async () => {
  const context = { product: () => fromSource(), seconds: 1, kills: 0, log: () => undefined }
  const rows = await pgbouncer.run(context)
  expect(rows.filter((row) => !isWithin(row))).toEqual([])
  expect(rows.length).toBeGreaterThan(5)
})

it('what is missing is named with the one command that installs all of it', () => {
  const tool = (name: string, file?: string): Tool => ({ name, packages: [name], find: () => file })
  expect(whatIsMissing([tool('there', '/there')])).toEqual([])
  expect(whatIsMissing([tool('one'), tool('there', '/there'), tool('other')])).toEqual([
    'one is missing.',
    'other is missing.',
    'On Debian: apt-get install --no-install-recommends one other',
  ])
})
