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
