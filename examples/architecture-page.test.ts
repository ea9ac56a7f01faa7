import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
const page = await readFile(path.join(ROOT, 'docs/architecture.md'), 'utf8')

/** What stands in backticks and is a path: it has a slash, no space, and does not begin with a slash. */
const pathsIn = (text: string): string[] => [...text.matchAll(/`([\w.@-]+\/[\w./-]*)`/g)].map(([, found = '']) => found)

/** A folder of the repository, or one of `packages/`. */
const exists = (named: string): boolean =>
  existsSync(path.join(ROOT, 'packages', named)) || existsSync(path.join(ROOT, named))

const paths = [...new Set(pathsIn(page))]

/** Each journey: its title, the number of files that it names, and those in its steps and in its "Also run". */
const journeys = page
  .split(/^## /m)
  .filter((section) => /^\d+ files to read/m.test(section))
  .map((section) => {
    const lines = section.split('\n')
    const inLines = (begin: RegExp) => new Set(pathsIn(lines.filter((line) => begin.test(line)).join('\n')))
    const [, toRead, more = 0] = /^(\d+) files to read(?:, (\d+) more that run)?/m.exec(section) ?? []
    const steps = inLines(/^\d+\. /)
    return {
      title: lines[0],
      said: [Number(toRead), Number(more)],
      counted: [steps.size, [...inLines(/^Also run: /)].filter((named) => !steps.has(named)).length],
    }
  })

it('names only files and folders that exist', () => {
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((named) => !exists(named))).toEqual([])
})

it('names a path that does not exist as one that does not', () => {
  expect(pathsIn('see `core/src/no-such-file.ts`, `GET /users` and `npm run check`')).toEqual([
    'core/src/no-such-file.ts',
  ])
  expect(exists('core/src/no-such-file.ts')).toBe(false)
})

it('has five journeys', () => {
  expect(journeys).toHaveLength(5)
})

it.each(journeys)('says how many files there are: $title', ({ said, counted }) => {
  expect(counted).toEqual(said)
})
