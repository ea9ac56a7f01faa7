import { expect, it } from 'vitest'
import { planted } from './planting.ts'

const planting = { file: 'a.ts', find: 'one', replace: 'two' }

it('a planting changes what is there exactly once, in its file alone', () => {
  expect(planted('a.ts', 'only one', [planting])).toBe('only two')
  expect(planted('b.ts', 'one', [planting])).toBe('one')
})

it.each(['nothing of it', 'one and one'])('a planting that finds %o is refused', (source) => {
  expect(() => planted('a.ts', source, [planting])).toThrow('not exactly once')
})
