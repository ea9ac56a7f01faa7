import { expect, it } from 'vitest'
import { type Statement, statement, type Value } from '../../src/postgres/statement.ts'
import { StatementGroup } from '../../src/postgres/statement-group.ts'
import { sharedConnection } from './temporary-storage.ts'

const connect = async () => {
  const client = await sharedConnection()
  return async (...statements: readonly (readonly [Statement, ...Value[]])[]) => {
    const group = new StatementGroup()
    const answers = statements.map(([asked, ...values]) => group.add(asked, values))
    client.query(group)
    const settled = await Promise.allSettled(answers)
    return settled.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : answer.reason.code))
  }
}

const NUMBER = statement('SELECT $1::integer')
const LIST = statement('SELECT * FROM unnest($1::text[], $2::integer[], $3::boolean[])')
const WORKS: [Statement, ...Value[]] = [LIST, ['a "b" \\', null], [1, null], [true, false]]
const LISTED = [
  ['a "b" \\', 1, true],
  [null, null, false],
]

it('answers each statement of a group', async () => {
  const ask = await connect()
  expect(await ask([NUMBER, 1], [statement('BEGIN')], WORKS, [NUMBER, null])).toEqual([[[1]], [], LISTED, [[null]]])
  expect(await ask([NUMBER, 2])).toEqual([[[2]]])
})

it.each([
  ['cannot be run', statement('SELECT 1 / $1::integer'), '22012'],
  ['cannot be prepared', statement('SELECT nothing, $1::integer'), '42703'],
])('fails with one that %s all after it, and prepares those anew', async (_, failing, code) => {
  const ask = await connect()
  expect(await ask([NUMBER, 1], [failing, 0], WORKS, [NUMBER, 2])).toEqual([[[1]], code, code, code])
  expect(await ask([failing, 0], WORKS)).toEqual([code, code])
  expect(await ask([NUMBER, 1], WORKS)).toEqual([[[1]], LISTED])
})
