import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { CommitLog } from './durable-answers.ts'
import { syncFile } from './private-file.ts'
import type { Writer } from './writer.ts'

/**
 * SQLite's log as a file, so that it can be synced after the write lock has been released, and without SQLite. It is
 * there for as long as a connection is open. No lock hangs on it: those are on the database and on its index.
 */
export class LogFile implements CommitLog {
  readonly #path: string
  readonly #writer: Writer
  /** From the first commit on: a reader needs none. */
  #fd: number | undefined

  constructor(database: string, writer: Writer) {
    this.#path = `${database}-wal`
    this.#writer = writer
  }

  async sync(): Promise<void> {
    await syncFile(this.#open())
  }

  /** Writes the whole log once more, byte by byte as it is, so that the system has it to bring to the disk again. */
  repair(): void {
    const fd = this.#open()
    const { logged } = this.#writer.logState()
    // No process writes meanwhile. Others may still read: no byte changes.
    this.#writer.begin()
    try {
      const log = readWhole(fd)
      const end = endOfFrames(log, logged)
      // The system may have given up the bytes as well, and read old ones from the disk.
      if (end === undefined)
        throw new Error('The database log is damaged. Restart the service: it keeps what is sound.')
      for (let at = 0; at < end; ) at += writeSync(fd, log, at, end - at, at)
      fdatasyncSync(fd)
    } finally {
      this.#writer.abandon()
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }

  #open(): number {
    this.#fd ??= openSync(this.#path, 'r+')
    return this.#fd
  }
}

const readWhole = (fd: number): Buffer => {
  const log = Buffer.alloc(fstatSync(fd).size)
  let end = 0
  for (let read = -1; read !== 0 && end < log.length; end += read) read = readSync(fd, log, end, log.length - end, end)
  return log.subarray(0, end)
}

const HEADER = 32
const FRAME_HEADER = 24
const LITTLE_ENDIAN_SUMS = 0x377f0682

/**
 * Where the sound frames of a log end; undefined where there are fewer than `least`.
 * @see https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
export const endOfFrames = (log: Buffer, least: number): number | undefined => {
  if (log.length < HEADER) return least === 0 ? 0 : undefined
  const littleEndian = log.readUInt32BE(0) === LITTLE_ENDIAN_SUMS
  const frame = FRAME_HEADER + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let [a, b] = [0, 0]
  const add = (from: number, length: number): void => {
    for (let at = from; at < from + length; at += 8) {
      a = (a + b + (littleEndian ? log.readInt32LE(at) : log.readInt32BE(at))) | 0
      b = (b + a + (littleEndian ? log.readInt32LE(at + 4) : log.readInt32BE(at + 4))) | 0
    }
  }
  const agrees = (at: number): boolean => log.readInt32BE(at) === a && log.readInt32BE(at + 4) === b
  add(0, HEADER - 8)
  let end = HEADER
  if (!agrees(HEADER - 8)) return least === 0 ? 0 : undefined
  for (; end + frame <= log.length; end += frame) {
    if (log.compare(salts, 0, 8, end + 8, end + 16) !== 0) break
    add(end, 8)
    add(end + FRAME_HEADER, frame - FRAME_HEADER)
    if (!agrees(end + 16)) break
  }
  return (end - HEADER) / frame < least ? undefined : end
}
