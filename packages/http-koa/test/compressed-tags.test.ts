import { expect, it } from 'vitest'
import { isNotModified } from '../src/conditional-request.ts'

const knows = (ifNoneMatch: string, entityTag: string): boolean =>
  isNotModified({ 'if-none-match': ifNoneMatch }, { entityTag, lastModified: undefined }, 0)

it.each(['"abc"', '"abc-"', '"abc--"'])(
  'takes %s for known, whatever a proxy that compressed it has appended',
  (tag) => {
    for (const appended of ['', '-gzip', '--gzip', ';br', '-zstd', '-deflate'])
      expect(knows(tag.replace(/"$/, `${appended}"`), tag)).toBe(true)
    for (const other of ['-gzipped', '---gzip', 'gzip', '-x', ';'])
      expect(knows(tag.replace(/"$/, `${other}"`), tag)).toBe(false)
  },
)
