import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { planted } from '../fault-injection/planting.ts'
import { SEEDED_BUGS } from './bugs.ts'

const ROOT = path.join(import.meta.dirname, '../..')

it('has twenty bugs or more, each under a name of its own', () => {
  expect(SEEDED_BUGS.length).toBeGreaterThanOrEqual(20)
  expect(new Set(SEEDED_BUGS.map(({ name }) => name)).size).toBe(SEEDED_BUGS.length)
})

it.each(SEEDED_BUGS)('can still plant $name: what it replaces is in the source exactly once', ({ plantings }) => {
  for (const { file } of plantings) {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    expect(planted(file, source, plantings)).not.toBe(source)
  }
})
