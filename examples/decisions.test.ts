import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = path.join(import.meta.dirname, '../docs/decisions')
const pages = (await readdir(FOLDER)).sort()
const read = (page: string): Promise<string> => readFile(path.join(FOLDER, page), 'utf8')

it('numbers the decisions without a gap, and no two alike', () => {
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.map((page) => Number(page.slice(0, 4)))).toEqual(pages.map((_, index) => index + 1))
})

it.each(pages)('begins with its number and its status: %s', async (page) => {
  const [title, empty, status] = (await read(page)).split('\n')
  expect(title).toMatch(new RegExp(`^# ${Number(page.slice(0, 4))}\\. `))
  expect(empty).toBe('')
  expect(status).toMatch(/^Status: (accepted|superseded), \w+ \d{4}\./)
})

it.each(pages)('links to pages that exist: %s', async (page) => {
  const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
  expect(links.filter((link) => !existsSync(path.join(FOLDER, link)))).toEqual([])
})
