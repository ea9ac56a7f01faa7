import { expect, it } from 'vitest'
import { answerTo } from '../../src/postgres/answer.ts'
import { type Statement, statement, storable, type Value } from '../../src/postgres/statement.ts'
import { sharedConnection } from './temporary-storage.ts'

/** Sends all at once, and gives the rows or the error of each. */
const connect = async () => {
  const connection = await sharedConnection()
  return async (...statements: readonly (readonly [Statement, ...Value[]])[]) => {
    const answers = statements.map(([asked, ...values]) => answerTo(connection, asked, storable(values)))
    const settled = await Promise.allSettled(answers)
    return settled.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : answer.reason.code))
  }
}

const BEGIN = statement('BEGIN')
const COMMIT = statement('COMMIT')
const NUMBER = statement('SELECT $1::integer')
const LIST = statement('SELECT * FROM unnest($1::text[], $2::bigint[], $3::boolean[])')
const WORKS: [Statement, ...Value[]] = [LIST, ['a "b" \\', null, '', 'NULL', 'a\0'], [2 ** 53 - 1, null], [true, false]]
const LISTED = [
  ['a "b" \\', 2 ** 53 - 1, true],
  [null, null, false],
  ['', null, null],
  ['NULL', null, null],
  ['a\ufffd', null, null],
]

it('comes to each of several statements, in their order', async () => {
  const ask = await connect()
  expect(await ask([NUMBER, 1], [BEGIN], WORKS, [NUMBER, null], [COMMIT])).toEqual([[[1]], [], LISTED, [[null]], []])
  expect(await ask([NUMBER, 2], [LIST, [], [], []])).toEqual([[[2]], []])
})

it.each([
  ['cannot be run', statement('SELECT 1 / $1::integer'), '22012'],
  ['cannot be prepared', statement('SELECT nothing, $1::integer'), '42703'],
])(
  'to one that %s is an error, as to all after it until the transaction ends; it prepares those anew',
  async (_, failing, code) => {
    const ask = await connect()
    const [, failed, ...after] = await ask([BEGIN], [failing, 0], WORKS, WORKS, [NUMBER, 2], [COMMIT])
    expect([failed, after]).toEqual([code, ['25P02', '26000', '25P02', []]])
    expect(await ask([failing, 0], WORKS)).toEqual([code, LISTED])
    expect(await ask([NUMBER, 1], WORKS)).toEqual([[[1]], LISTED])
  },
)

it('says what was done as the server says it', async () => {
  const connection = await sharedConnection()
  const tagOf = async (text: string) => (await answerTo(connection, statement(text), [])).tag
  await connection.query('CREATE TEMPORARY TABLE one (n integer)')
  const statements = [
    'INSERT INTO one SELECT * FROM generate_series(1, 3)',
    'UPDATE one SET n = 4 WHERE n > 1',
    'SELECT FROM one',
    'DELETE FROM one WHERE n > 4',
    'BEGIN',
    'COMMIT',
  ]
  const tags = ['INSERT 0 3', 'UPDATE 2', 'SELECT 3', 'DELETE 0', 'BEGIN', 'COMMIT']
  expect(await Promise.all(statements.map(tagOf))).toEqual(tags)
  await connection.query('BEGIN')
  await connection.query('an error').catch(() => undefined)
  expect(await tagOf('COMMIT')).toBe('ROLLBACK')
})

it('does not come in time: the connection is lost, and so are the answers behind it', async () => {
  const connection = await sharedConnection()
  connection.on('error', () => undefined)
  const asked = [statement('SELECT pg_sleep(60)', { timeout: 50 }), NUMBER]
  const answers = await Promise.allSettled(asked.map((one) => answerTo(connection, one, one === NUMBER ? [1] : [])))
  const reasons = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.message : answer.value.rows))
  expect(reasons).toEqual(['Query read timeout', expect.stringContaining('Connection terminated')])
  await expect(answerTo(connection, NUMBER, [1])).rejects.toThrow('Client has encountered a connection error')
})
