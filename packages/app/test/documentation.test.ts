import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Every pair of a block in the one language and the block in the other that follows it. */
const examples = (markdown: string, language: string, answer: string): [string, string][] =>
  [
    ...markdown.matchAll(
      new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\`[^\`]*(?:\`[^\`]+\`[^\`]*)*\`\`\`${answer}\\n([^\`]*)\`\`\``, 'g'),
    ),
  ].map(([, code = '', output = '']) => [code, output])

it('runs every example of docs/library.md, and it prints what the page says', { timeout: 30_000 }, async () => {
  const page = await readFile(path.join(ROOT, 'docs/library.md'), 'utf8')
  const found = examples(page, 'ts', 'text')
  expect(found).toHaveLength(2)
  // Within the workspace, so that the packages are found as they would be by whoever installed them.
  const folder = path.join(import.meta.dirname, `.examples-${process.pid}`)
  await mkdir(folder, { recursive: true })
  try {
    for (const [index, [code, output]] of found.entries()) {
      const file = path.join(folder, `example-${index}.ts`)
      await writeFile(file, code)
      const { stdout } = await run(process.execPath, [file])
      expect(stdout).toBe(output)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
