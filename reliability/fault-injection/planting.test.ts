import { expect, it } from 'vitest'
import { planted } from './planting.ts'

const planting = { file: 'a.ts', find: 'one', replace: 'two' }

it('a planting changes the text that is there exactly once, in its file alone', () => {
  expect(planted('a.ts', 'only one', [planting])).toBe('only two')
  expect(planted('b.ts', 'one', [planting])).toBe('one')
})

it.each(['', 'one and one'])('a planting that is not found exactly once in %o is refused', (source) => {
  expect(() => planted('a.ts', source, [planting])).toThrow('does not contain this text exactly once')
})

it('a planting does not depend on line breaks or indentation', () => {
  const call = { file: 'a.ts', find: 'begin()\n  end()', replace: 'end()' }
  expect(planted('a.ts', 'begin() end()', [call])).toBe('end()')
  expect(planted('a.ts', 'begin()\n\n    end()', [call])).toBe('end()')
})
