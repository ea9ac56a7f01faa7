import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
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
