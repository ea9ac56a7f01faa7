import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { clientFiles, GENERATED } from '../scripts/client/client-files.ts'

const folder = path.join(import.meta.dirname, '..', GENERATED)
const files = clientFiles()

// A failure here is mended by `npm run generate`.
it.each([...files])("the client's %s is as the OpenAPI document has it", (name, text) => {
  expect(readFileSync(path.join(folder, name), 'utf8')).toBe(text)
})

it('has nothing else among its generated files', async () => {
  expect((await readdir(folder)).sort()).toEqual([...files.keys()].sort())
})
