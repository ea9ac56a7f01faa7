import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '..')
const inFolder = async (folder: string): Promise<string[]> =>
  (await readdir(path.join(ROOT, folder))).filter((name) => name.endsWith('.md')).sort()

const decisions = await inFolder('docs/decisions')
const pages = [
  ...(await inFolder('.')),
  ...(await inFolder('docs')).map((name) => `docs/${name}`),
  ...decisions.map((name) => `docs/decisions/${name}`),
  ...(await inFolder('docs/guides')).map((name) => `docs/guides/${name}`),
  ...(await inFolder('docs/reference')).map((name) => `docs/reference/${name}`),
]
const read = (page: string): Promise<string> => readFile(path.join(ROOT, page), 'utf8')

/** GitHub's: lower case, without punctuation, spaces as hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

const leadsNowhere = async (page: string, link: string): Promise<boolean> => {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? page : path.join(path.dirname(page), file)
  if (!existsSync(path.join(ROOT, target))) return true
  if (anchor === undefined) return false
  const headings = [...(await read(target)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return !headings.includes(anchor)
}

it('numbers the decisions, no two alike: the number of one that was removed is not given again', () => {
  const numbers = decisions.map((page) => Number(page.slice(0, 4)))
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.length).toBeGreaterThan(1)
})

it.each(decisions)('begins with its number and its status: %s', async (page) => {
  const [title, empty, status] = (await read(`docs/decisions/${page}`)).split('\n')
  expect(title).toMatch(new RegExp(`^# ${Number(page.slice(0, 4))}\\. `))
  expect(empty).toBe('')
  expect(status).toMatch(/^Status: accepted, \w+ \d{4}\./)
})

it('lists every guide and every page of the reference on the first page, which the sidebar of the site is made of', async () => {
  const first = await read('docs/README.md')
  const listed = pages
    .filter((page) => /^docs\/(?:guides|reference)\//.test(page))
    .map((page) => page.slice('docs/'.length))
  expect(listed.filter((page) => !first.includes(`](${page})`))).toEqual([])
})

it.each(pages)('links to pages and headings that exist: %s', async (page) => {
  const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = await Promise.all(links.map((link) => leadsNowhere(page, link)))
  expect(links.filter((_, index) => broken[index])).toEqual([])
})
