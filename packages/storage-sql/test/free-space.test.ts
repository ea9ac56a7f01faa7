import { describe, expect, it } from 'vitest'
import { dirty, freeSpaceOf, viewOf } from '../src/sqlite/free-space.ts'

const SIZE = 512

/** A page with these header fields, all else being ones. */
const page = (fields: { kind: number; free?: number; cells?: number; start?: number }, blocks: number[][] = []) => {
  const bytes = new Uint8Array(SIZE).fill(1)
  const view = viewOf(bytes, 0, SIZE)
  view.setUint8(0, fields.kind)
  view.setUint16(1, fields.free ?? 0)
  view.setUint16(3, fields.cells ?? 2)
  view.setUint16(5, fields.start ?? 400)
  for (const [at = 0, next = 0, size = 0] of blocks) {
    view.setUint16(at, next)
    view.setUint16(at + 2, size)
  }
  return view
}

describe('the free space of a page', () => {
  it('is what lies between the cell pointers and the cells, in leaves and inner pages of tables and indexes', () => {
    for (const kind of [10, 13]) expect(freeSpaceOf(page({ kind }))).toEqual([[12, 400]])
    for (const kind of [2, 5]) expect(freeSpaceOf(page({ kind }))).toEqual([[16, 400]])
  })

  it('is also what lies in free blocks, but for their first four bytes', () => {
    const blocks = [
      [420, 460, 10],
      [460, 0, 4],
    ]
    expect(freeSpaceOf(page({ kind: 13, free: 420 }, blocks))).toEqual([
      [12, 400],
      [424, 430],
      [464, 464],
    ])
  })

  it('is nothing where the page is no page of a b-tree', () => {
    for (const kind of [0, 1, 3, 4, 9, 14, 255]) expect(freeSpaceOf(page({ kind }))).toEqual([])
  })

  it('is nothing where the page is not as the file format says', () => {
    expect(freeSpaceOf(page({ kind: 13, cells: 250 }))).toEqual([])
    expect(freeSpaceOf(page({ kind: 13, start: 600 }))).toEqual([])
    expect(freeSpaceOf(page({ kind: 13, start: 0 }))).toEqual([])
    for (const free of [399, 511]) expect(freeSpaceOf(page({ kind: 13, free }))).toEqual([])
    for (const [next, size] of [
      [0, 3],
      [0, 200],
      [410, 8],
      [420, 8],
    ])
      expect(freeSpaceOf(page({ kind: 13, free: 420 }, [[420, next!, size!]]))).toEqual([])
  })

  it('is dirty where a single byte of it is not zero', () => {
    const bytes = new Uint8Array(SIZE)
    const ranges = [
      [10, 20],
      [30, 40],
    ] as const
    expect(dirty(bytes, ranges)).toEqual([])
    bytes[9] = bytes[20] = bytes[40] = 1
    expect(dirty(bytes, ranges)).toEqual([])
    bytes[39] = 1
    expect(dirty(bytes, ranges)).toEqual([[30, 40]])
  })
})
