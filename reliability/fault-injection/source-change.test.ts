import { expect, it } from 'vitest'
import { withChanges } from './source-change.ts'

const change = { file: 'a.ts', find: 'one', replace: 'two' }

it('a change changes the text that is there exactly once, in its file alone', () => {
  expect(withChanges('a.ts', 'only one', [change])).toBe('only two')
  expect(withChanges('b.ts', 'one', [change])).toBe('one')
})

it.each(['', 'one and one'])('a change that is not found exactly once in %o is refused', (source) => {
  expect(() => withChanges('a.ts', source, [change])).toThrow('does not contain this text exactly once')
})

it('a change does not depend on line breaks or indentation', () => {
  const call = { file: 'a.ts', find: 'begin()\n  end()', replace: 'end()' }
  expect(withChanges('a.ts', 'begin() end()', [call])).toBe('end()')
  expect(withChanges('a.ts', 'begin()\n\n    end()', [call])).toBe('end()')
})
