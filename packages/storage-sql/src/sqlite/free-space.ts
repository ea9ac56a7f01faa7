import { readSync } from 'node:fs'

/** From the first byte up to, but not including, the second. */
export type Range = readonly [start: number, end: number]

/** Beyond it, a page that continues a long row could be taken for one of a b-tree. */
const MOST_PAGES = 2 ** 24

const LEAF_HEADER = 8
const INTERIOR_HEADER = 12
/** Cell pointer, and the least that a cell or a free block takes. */
const POINTER = 2
const SMALLEST = 4
const KINDS: Readonly<Record<number, number>> = {
  2: INTERIOR_HEADER,
  5: INTERIOR_HEADER,
  10: LEAF_HEADER,
  13: LEAF_HEADER,
}

/**
 * The bytes of a page that hold nothing: between the cell pointers and the cells, and in free blocks. SQLite never
 * reads them, but may leave a copy of a row there that it has moved elsewhere. None if the page is no b-tree's, or
 * is not as the file format says. Not for the first page, which begins with the header of the file.
 * @see https://sqlite.org/fileformat2.html section 1.6
 */
export const freeSpaceOf = (page: DataView): Range[] => {
  const header = KINDS[page.getUint8(0)]
  if (header === undefined) return []
  const pointersEnd = header + POINTER * page.getUint16(3)
  const cellsStart = page.getUint16(5) || 65_536
  if (cellsStart < pointersEnd || cellsStart > page.byteLength) return []
  const free: Range[] = [[pointersEnd, cellsStart]]
  let last = cellsStart
  for (let block = page.getUint16(1); block !== 0; ) {
    if (block < last || block + SMALLEST > page.byteLength) return []
    const end = block + page.getUint16(block + 2)
    if (end < block + SMALLEST || end > page.byteLength) return []
    free.push([block + SMALLEST, end])
    last = end
    block = page.getUint16(block)
  }
  return free
}

const ZEROS = Buffer.alloc(65_536)

/** The ranges in which a byte is not zero. */
export const dirty = (page: Uint8Array, ranges: readonly Range[]): Range[] =>
  ranges.filter(([start, end]) => ZEROS.compare(page, start, end, 0, end - start) !== 0)

/** A page at an offset of a buffer that holds many. */
export const viewOf = (bytes: Uint8Array, offset: number, size: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + offset, size)

// One for all looks, which are many. A multiple of every size of a page.
const chunk = new Uint8Array(2 ** 20)

/** The numbers of the pages, from 1 on, whose free space is not all zeros. The first page is left out. */
export const dirtyPages = (fd: number, pageSize: number): Uint32Array => {
  const pagesAtOnce = chunk.length / pageSize
  // Outside of V8's heap, of which this thread has little: after many deletions they are many.
  let found = new Uint32Array(pagesAtOnce)
  let count = 0
  for (let first = 1; first <= MOST_PAGES; first += pagesAtOnce) {
    const read = readSync(fd, chunk, 0, chunk.length, (first - 1) * pageSize)
    for (let offset = 0; offset + pageSize <= read; offset += pageSize) {
      const number = first + offset / pageSize
      const page = viewOf(chunk, offset, pageSize)
      if (number === 1 || dirty(chunk.subarray(offset, offset + pageSize), freeSpaceOf(page)).length === 0) continue
      if (count === found.length) found = twiceAsLong(found)
      found[count++] = number
    }
    if (read < chunk.length) break
  }
  return found.slice(0, count)
}

const twiceAsLong = (values: Uint32Array): Uint32Array<ArrayBuffer> => {
  const longer = new Uint32Array(2 * values.length)
  longer.set(values)
  return longer
}
