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

// Starts and ends in turn. One for all pages, because a look has many of them; a page has no more free blocks.
const free = new Uint32Array(2 * (65_536 / SMALLEST + 1))

/**
 * Notes the bytes of a page that hold nothing: between the cell pointers and the cells, and in free blocks. SQLite never
 * reads them, but may leave a copy of a row there that it has moved elsewhere. Returns how many numbers it noted: none
 * if the page is no b-tree's, or is not as the file format says.
 * @see https://sqlite.org/fileformat2.html section 1.6
 */
const noteFreeSpace = (bytes: Buffer, at: number, size: number): number => {
  const header = KINDS[bytes.readUInt8(at)]
  if (header === undefined) return 0
  const pointersEnd = header + POINTER * bytes.readUInt16BE(at + 3)
  const cellsStart = bytes.readUInt16BE(at + 5) || 65_536
  if (cellsStart < pointersEnd || cellsStart > size) return 0
  free[0] = pointersEnd
  free[1] = cellsStart
  let noted = 2
  let last = cellsStart
  for (let block = bytes.readUInt16BE(at + 1); block !== 0; ) {
    if (block < last || block + SMALLEST > size) return 0
    const end = block + bytes.readUInt16BE(at + block + 2)
    if (end < block + SMALLEST || end > size) return 0
    free[noted++] = block + SMALLEST
    free[noted++] = end
    last = end
    block = bytes.readUInt16BE(at + block)
  }
  return noted
}

const ZEROS = Buffer.alloc(65_536)
const NONE: readonly Range[] = []

/**
 * The free space of the page at an offset of the bytes that is not all zeros, counted from the start of the page. Not for
 * the first page of a file, which begins with the header of the file.
 */
export const dirtySpaceOf = (bytes: Buffer, at: number, size: number): readonly Range[] => {
  const noted = noteFreeSpace(bytes, at, size)
  let dirty: Range[] | undefined
  for (let i = 0; i < noted; i += 2) {
    const start = free[i] ?? 0
    const end = free[i + 1] ?? 0
    if (ZEROS.compare(bytes, at + start, at + end, 0, end - start) === 0) continue
    dirty ??= []
    dirty.push([start, end])
  }
  return dirty ?? NONE
}

// One for all looks, which are many. A multiple of every size of a page.
const chunk = Buffer.alloc(2 ** 20)

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
      if (number === 1 || dirtySpaceOf(chunk, offset, pageSize).length === 0) continue
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
