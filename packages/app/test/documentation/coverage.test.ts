import { expect, it } from 'vitest'
import { type Block, blocksOf, isExecuted, PAGES, read, stepsOf } from './blocks.ts'
import { FOLLOWED_BY } from './pages.ts'

const LANGUAGES = 'bash console css csv dockerfile html http ini js json nginx sh shell sql text ts yaml'.split(' ')
const all = PAGES.flatMap((page) => blocksOf(page))
const where = ({ page, line, language }: Block) => `${page}:${line} ${language}`

it('has one test for every page', () => {
  expect(Object.values(FOLLOWED_BY).flat().toSorted()).toEqual([...PAGES].sort())
})

it('says of every block what it is', () => {
  expect(all.filter(({ language }) => !LANGUAGES.includes(language)).map(where)).toEqual([])
  // One that is indented, such as in a list, would not be found.
  const fences = PAGES.flatMap((page) => [...read(page).matchAll(/^\s*(?:```|~~~)/gm)])
  expect(fences).toHaveLength(2 * all.length)
})

it('executes every block of a shell and every HTTP request: each is a step, or what a step prints', () => {
  const commands = all.filter(({ language, file }) => ['sh', 'bash', 'http'].includes(language) && file === undefined)
  const answers = commands.filter(({ language, code }) => language === 'http' && code.startsWith('HTTP/'))
  const executed = PAGES.flatMap((page) => stepsOf(page)).filter(isExecuted)
  expect(executed.length).toBeGreaterThan(55)
  expect(executed.length).toBe(commands.length - answers.length)
  expect(PAGES.flatMap((page) => stepsOf(page)).flatMap(({ answers }) => answers).length).toBeGreaterThanOrEqual(
    answers.length,
  )
})

it('says of every package that it is not published, as long as that is so', () => {
  const packages = PAGES.filter((page) => page.startsWith('packages/'))
  expect(packages.length).toBeGreaterThan(10)
  expect(packages.filter((page) => !read(page).includes('published on npm yet'))).toEqual([])
})

it('leaves alone only what needs a container engine or a cluster, on the pages about them', () => {
  const left = all.filter(({ language }) => language === 'shell')
  for (const { page, code } of left) {
    expect(page).toMatch(/^(?:README|docs\/guides\/(?:containers|kubernetes))\.md$/)
    for (const line of code.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:cd |docker |helm |install -d |kubectl |[A-Z_]+=| {2})/)
  }
})

it('shows what `--help` prints in the reference of the command line only', () => {
  expect([...new Set(all.filter(({ language }) => language === 'console').map(({ page }) => page))]).toEqual([
    'docs/reference/command-line.md',
  ])
})
