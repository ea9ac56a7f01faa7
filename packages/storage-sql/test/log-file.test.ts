import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openConnection } from '../src/sqlite/connection.ts'
import { endOfFrames, LogFile } from '../src/sqlite/log-file.ts'
import { Writer } from '../src/sqlite/writer.ts'
import { lookAt, newDatabase } from './temporary-storage.ts'

/** A database with some commits in its log. */
const logged = async () => {
  const file = await newDatabase()
  const connection = await openConnection(file, { syncedApart: true })
  const writer = new Writer(connection)
  const log = new LogFile(file, writer)
  onTestFinished(() => {
    connection.close()
    log.close()
  })
  const insert = connection.prepare('INSERT INTO event (type, subject, at) VALUES (?, ?, ?)')
  const write = (n: number): void => {
    writer.begin()
    for (let i = 0; i < 40; i++) writer.write(insert, 'kind', `subject ${n} ${i}`.repeat(20), n)
    writer.commit()
  }
  const bytes = (): Buffer => readFileSync(`${file}-wal`)
  return { file, writer, log, write, bytes }
}

/** As if the system had lost what it should have written, and read what was on the disk before. */
const forget = (file: string, at: number, length: number): void => {
  const fd = openSync(`${file}-wal`, 'r+')
  writeSync(fd, new Uint8Array(length).fill(0xff), 0, length, at)
  closeSync(fd)
}

it('finds the end of the frames that SQLite wrote, also of a log that was begun anew', async () => {
  const { file, writer, write, bytes } = await logged()
  for (const n of [1, 2, 3]) write(n)
  const { logged: frames } = writer.logState()
  expect(frames).toBeGreaterThan(10)
  expect(endOfFrames(bytes(), frames)).toBe(bytes().length)
  expect(endOfFrames(bytes(), frames + 1)).toBeUndefined()
  lookAt(file, (database) => database.pragma('wal_checkpoint(RESTART)'))
  const { length } = bytes()
  write(4)
  const { logged: few } = writer.logState()
  expect(bytes()).toHaveLength(length)
  expect(endOfFrames(bytes(), few)).toBe(32 + few * (24 + 4_096))
})

it('reads the sums of either byte order, as SQLite does', () => {
  const log = Buffer.alloc(32)
  log.writeUInt32BE(0x377f0683, 0)
  log.writeUInt32BE(4_096, 8)
  let [a, b] = [0, 0]
  for (let at = 0; at < 24; at += 8) {
    a = (a + b + log.readInt32BE(at)) | 0
    b = (b + a + log.readInt32BE(at + 4)) | 0
  }
  log.writeInt32BE(a, 24)
  log.writeInt32BE(b, 28)
  expect(endOfFrames(log, 0)).toBe(32)
  expect(endOfFrames(Buffer.alloc(0), 0)).toBe(0)
  expect(endOfFrames(Buffer.alloc(0), 1)).toBeUndefined()
})

it('repairs by writing the log as it is once more, and lets others read meanwhile', async () => {
  const { file, log, write, bytes } = await logged()
  write(1)
  await log.sync()
  write(2)
  const before = bytes()
  log.repair()
  expect(bytes().equals(before)).toBe(true)
  write(3)
  await log.sync()
  expect(lookAt(file, (database) => database.prepare('SELECT count(*) FROM event').pluck().get())).toBe(120)
  expect(lookAt(file, (database) => database.pragma('integrity_check'))).toBe('ok')
})

it('refuses to repair a log of which a part is lost, wherever that is', async () => {
  const { file, writer, log, write, bytes } = await logged()
  for (const n of [1, 2]) write(n)
  for (const at of [bytes().length - 600, 32 + 24 + 100, 8]) {
    forget(file, at, 16)
    expect(() => log.repair()).toThrow('is damaged')
    expect(writer.connection.inTransaction).toBe(false)
  }
})

it('repairs an empty log', async () => {
  const { writer, log, write, bytes } = await logged()
  write(1)
  await log.sync()
  expect(writer.emptyLog()).toBe(true)
  log.repair()
  expect(bytes()).toHaveLength(0)
})

it('is not repaired while another process writes', async () => {
  const { file, log, write } = await logged()
  write(1)
  lookAt(file, (database) => {
    database.exec('BEGIN IMMEDIATE')
    expect(() => log.repair()).toThrow('locked')
  })
  log.repair()
})
