import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '..')
const pages = await Promise.all(
  ['docs/guides/library.md', 'docs/reference/library.md', 'docs/guides/own-rule.md'].map((page) =>
    readFile(path.join(ROOT, page), 'utf8'),
  ),
)

/** Every block of code on the pages that stands below the link to its file: `[examples/x.js](../../examples/x.js)`. */
const blocks = [
  ...pages.join('').matchAll(/\[(examples\/[\w./-]+)\]\([^)]*\)[^\n]*\n\n```\w+(?: \[[^\n]*\])?\n(.*?)```/gs),
].map(([, file = '', code = '']) => [file, code] as const)

it('shows the files of the examples that a page explains', () => {
  expect(blocks.map(([file]) => file)).toEqual([
    'examples/plain-script/index.js',
    'examples/koa/app.js',
    'examples/express/src/own-rules.ts',
    'examples/express/src/shop.ts',
    'examples/express/src/main.ts',
  ])
})

it.each(blocks)('shows %s as it is', async (file, code) => {
  expect(code).toBe(await readFile(path.join(ROOT, file), 'utf8'))
})

it('shows what the plain script prints', async () => {
  const { stdout } = await run(process.execPath, [path.join(ROOT, 'examples/plain-script/index.js')])
  expect(pages[0]).toContain(`\`\`\`text\n${stdout}\`\`\``)
})
