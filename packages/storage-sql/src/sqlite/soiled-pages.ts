import { readSync } from 'node:fs'
import { slackOf, soiled, viewOf } from './page-slack.ts'

const PAGES_AT_ONCE = 256
/** Beyond it, a page that continues a long row could be taken for one of a b-tree. */
const MOST_PAGES = 2 ** 24

/** The numbers of the pages, from 1 on, that hold something where they should hold nothing. The first one is left out. */
export const soiledPages = (fd: number, pageSize: number): Uint32Array => {
  const found: number[] = []
  const chunk = new Uint8Array(PAGES_AT_ONCE * pageSize)
  for (let first = 1; first <= MOST_PAGES; first += PAGES_AT_ONCE) {
    const read = readSync(fd, chunk, 0, chunk.length, (first - 1) * pageSize)
    for (let offset = 0; offset + pageSize <= read; offset += pageSize) {
      const number = first + offset / pageSize
      const page = viewOf(chunk, offset, pageSize)
      if (number > 1 && soiled(chunk.subarray(offset, offset + pageSize), slackOf(page)).length > 0) found.push(number)
    }
    if (read < chunk.length) break
  }
  return Uint32Array.from(found)
}
