import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ENDPOINTS } from '../scripts/docs/open-api.ts'
import { REFERENCE, referencePages } from '../scripts/docs/reference-pages.ts'

const folder = path.join(import.meta.dirname, '..', REFERENCE)
const pages = await referencePages()

// A failure here is mended by `npm run generate`.
it.each([...pages])('%s of the reference is as the code has it', (name, text) => {
  expect(readFileSync(path.join(folder, name), 'utf8')).toBe(text)
})

it('has a section for every command, and a row for every setting', () => {
  expect(pages.get('command-line.md')?.match(/^## rollcall /gm)?.length).toBeGreaterThan(40)
  expect(pages.get('configuration.md')?.match(/^\| `ROLLCALL_/gm)?.length).toBeGreaterThan(25)
})

const sections = new Map(
  pages
    .get('http.md')
    ?.split(/^### /m)
    .map((text) => [text.split('\n', 1)[0], text]),
)

it.each(ENDPOINTS)('names every parameter of $method $at', ({ method, at, operation }) => {
  const section = sections.get(`\`${method} ${at}\``) ?? ''
  const names = operation.parameters.map(({ name }) => name).filter((name) => !name.startsWith('If-'))
  expect(
    names.filter((name) => !section.includes(`{${name}}`) && !new RegExp(`\`${name}\\??\``).test(section)),
  ).toEqual([])
  expect(section).toContain('- Answers: 2')
})
