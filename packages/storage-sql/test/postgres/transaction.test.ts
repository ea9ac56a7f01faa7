import { expect, it, vi } from 'vitest'
import type { Connection } from '../../src/postgres/connection.ts'
import { statement } from '../../src/postgres/statement.ts'
import { Transaction } from '../../src/postgres/transaction.ts'
import { sharedConnection } from './temporary-storage.ts'

const TABLE = statement('CREATE TEMPORARY TABLE written (n integer PRIMARY KEY)')
const WRITE = statement('INSERT INTO written SELECT $1::integer')
const COUNT = statement('SELECT count(*)::integer FROM written')

const connect = async () => (await sharedConnection()) as unknown as Connection

const begin = (connection: Connection): Transaction => {
  const transaction = new Transaction(connection)
  transaction.lock('anything')
  return transaction
}

const written = async (connection: Connection): Promise<unknown> => {
  const transaction = begin(connection)
  const rows = await transaction.ask(COUNT)
  await transaction.commit()
  return rows[0]?.[0]
}

it('commits what it wrote last', async () => {
  const connection = await connect()
  const transaction = begin(connection)
  await transaction.ask(TABLE)
  transaction.write(WRITE, 1)
  await transaction.commit()
  expect(await written(connection)).toBe(1)
})

it('that fails with its commit is undone, says why, and leaves the connection fit for the next', async () => {
  const connection = await connect()
  const first = begin(connection)
  await first.ask(TABLE)
  await first.commit()
  const failing = begin(connection)
  await failing.ask(COUNT)
  failing.write(WRITE, 1)
  failing.write(WRITE, 1)
  await expect(failing.commit()).rejects.toMatchObject({ code: '23505' })
  expect(failing).toMatchObject({ unknown: false, failure: { code: '23505' } })
  expect(connection.getTransactionStatus()).toBe('I')
  expect(await written(connection)).toBe(0)
})

it('in which nothing was asked is not begun to be undone', async () => {
  const connection = await connect()
  const sent = vi.spyOn(connection, 'query')
  await new Transaction(connection).abandon()
  expect(sent).not.toHaveBeenCalled()
})

it('that could not be begun writes nothing, which would be committed by itself', async () => {
  const connection = await connect()
  await connection.query('CREATE TEMPORARY TABLE written (n integer PRIMARY KEY)')
  // As in another session, which a pooler has put in the place of its own.
  await connection.query(`PREPARE ${statement('BEGIN ISOLATION LEVEL read committed').name} AS SELECT 1`)
  const transaction = begin(connection)
  transaction.write(WRITE, 1)
  await expect(transaction.commit()).rejects.toMatchObject({ cause: { code: '42P05' } })
  const { rows } = await connection.query('SELECT n FROM written')
  expect([rows, transaction.unknown, connection.getTransactionStatus()]).toEqual([[], false, 'I'])
})

it('that was abandoned writes nothing of what was asked before', async () => {
  const connection = await connect()
  await connection.query('CREATE TEMPORARY TABLE written (n integer PRIMARY KEY)')
  const transaction = begin(connection)
  transaction.write(WRITE, 1)
  await transaction.abandon()
  expect(await written(connection)).toBe(0)
})
