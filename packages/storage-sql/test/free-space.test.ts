import { describe, expect, it } from 'vitest'
import { dirtySpaceOf } from '../src/sqlite/free-space.ts'

const SIZE = 512

/** A page with these header fields, all else being ones. */
const page = (fields: { kind: number; free?: number; cells?: number; start?: number }, blocks: number[][] = []) => {
  const bytes = Buffer.alloc(SIZE, 1)
  bytes.writeUInt8(fields.kind, 0)
  bytes.writeUInt16BE(fields.free ?? 0, 1)
  bytes.writeUInt16BE(fields.cells ?? 2, 3)
  bytes.writeUInt16BE(fields.start ?? 400, 5)
  for (const [at = 0, next = 0, size = 0] of blocks) {
    bytes.writeUInt16BE(next, at)
    bytes.writeUInt16BE(size, at + 2)
  }
  return bytes
}

const dirtyIn = (bytes: Buffer) => dirtySpaceOf(bytes, 0, SIZE)

describe('the free space of a page', () => {
  it('is what lies between the cell pointers and the cells, in leaves and inner pages of tables and indexes', () => {
    for (const kind of [10, 13]) expect(dirtyIn(page({ kind }))).toEqual([[12, 400]])
    for (const kind of [2, 5]) expect(dirtyIn(page({ kind }))).toEqual([[16, 400]])
  })

  it('is also what lies in free blocks, but for their first four bytes', () => {
    const blocks = [
      [420, 460, 10],
      [460, 0, 5],
    ]
    expect(dirtyIn(page({ kind: 13, free: 420 }, blocks))).toEqual([
      [12, 400],
      [424, 430],
      [464, 465],
    ])
  })

  it('is nothing where the page is no page of a b-tree', () => {
    for (const kind of [0, 1, 3, 4, 9, 14, 255]) expect(dirtyIn(page({ kind }))).toEqual([])
  })

  it('is nothing where the page is not as the file format says', () => {
    expect(dirtyIn(page({ kind: 13, cells: 250 }))).toEqual([])
    expect(dirtyIn(page({ kind: 13, start: 600 }))).toEqual([])
    expect(dirtyIn(page({ kind: 13, start: 0 }))).toEqual([])
    for (const free of [399, 511]) expect(dirtyIn(page({ kind: 13, free }))).toEqual([])
    for (const [next, size] of [
      [0, 3],
      [0, 200],
      [410, 8],
      [420, 8],
    ])
      expect(dirtyIn(page({ kind: 13, free: 420 }, [[420, next!, size!]]))).toEqual([])
  })

  it('is dirty where a single byte of it is not zero, in whichever page of the bytes', () => {
    const bytes = Buffer.alloc(3 * SIZE)
    page({ kind: 13 }).copy(bytes, SIZE)
    bytes.fill(0, SIZE + 12, SIZE + 400)
    expect(dirtySpaceOf(bytes, SIZE, SIZE)).toEqual([])
    bytes[SIZE + 399] = 1
    expect(dirtySpaceOf(bytes, SIZE, SIZE)).toEqual([[12, 400]])
    bytes[SIZE + 12] = 1
    expect(dirtySpaceOf(bytes, SIZE, SIZE)).toEqual([[12, 400]])
  })
})
