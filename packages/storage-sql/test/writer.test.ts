import { expect, it, onTestFinished } from 'vitest'
import { Connection } from '../src/sqlite/driver.ts'
import { Writer } from '../src/sqlite/writer.ts'

it('is stuck from a full disk on until something has come to it, whatever is committed without a change', () => {
  const connection = Connection.inMemory()
  onTestFinished(() => {
    connection.close()
  })
  connection.exec('CREATE TABLE entry (text TEXT)')
  const pages = connection.pragma('page_count')
  connection.pragma(`max_page_count = ${pages}`)
  const writer = new Writer(connection)
  const [insert, nothing] = ['INSERT INTO entry VALUES (zeroblob(100000))', "UPDATE entry SET text = ''"].map((text) =>
    connection.prepare(text),
  )
  const write = (statement: typeof insert): void => {
    writer.begin()
    writer.write(statement!)
    writer.commit()
  }
  expect(writer.stuck).toBe(false)
  expect(() => write(insert)).toThrow('full')
  expect(writer.stuck).toBe(true)
  write(nothing)
  expect(writer.stuck).toBe(true)
  connection.pragma('max_page_count = 1000')
  write(insert)
  writer.noticeRecovery()
  expect(writer.stuck).toBe(false)
})

it('undoes a unit alone, and begins anew after SQLite has ended the transaction by itself', () => {
  const connection = Connection.inMemory()
  onTestFinished(() => connection.close())
  connection.exec('CREATE TABLE entry (text TEXT)')
  const writer = new Writer(connection)
  const insert = connection.prepare('INSERT INTO entry VALUES (?)')
  const texts = () => connection.prepare<[], string>('SELECT text FROM entry').pluck().all()
  writer.begin()
  writer.write(insert, 'kept')
  writer.keepUnit()
  writer.write(insert, 'undone')
  writer.undoUnit()
  // It has written nothing.
  writer.undoUnit()
  writer.commit()
  expect(texts()).toEqual(['kept'])
  const pages = connection.pragma('page_count')
  connection.pragma(`max_page_count = ${pages}`)
  writer.begin()
  expect(() => writer.write(insert, 'x'.repeat(100_000))).toThrow('full')
  writer.noticeFailure()
  expect(() => writer.undoUnit()).toThrow()
  writer.abandon()
  connection.pragma('max_page_count = 1000')
  writer.begin()
  writer.write(insert, 'once there is room')
  writer.keepUnit()
  writer.commit()
  expect(texts()).toEqual(['kept', 'once there is room'])
})
