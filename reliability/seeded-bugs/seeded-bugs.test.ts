import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { withChanges } from '../fault-injection/source-change.ts'
import { SEEDED_BUGS } from './bugs.ts'

const ROOT = path.join(import.meta.dirname, '../..')

it('has twenty bugs or more, each with its own name', () => {
  expect(SEEDED_BUGS.length).toBeGreaterThanOrEqual(20)
  expect(new Set(SEEDED_BUGS.map(({ name }) => name)).size).toBe(SEEDED_BUGS.length)
})

it.each(SEEDED_BUGS)(
  'can still plant $name: the text that it replaces is in the source exactly once',
  ({ changes }) => {
    for (const { file } of changes) {
      const source = readFileSync(path.join(ROOT, file), 'utf8')
      expect(withChanges(file, source, changes)).not.toBe(source)
    }
  },
)
