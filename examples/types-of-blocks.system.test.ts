import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Block, blocksOf, PAGES, ROOT, read } from '../packages/app/test/documentation/blocks.ts'

/** Of hosts that have a framework of their own: `tsc` checks these projects where that is installed. */
const CHECKED_THERE = ['docs/guides/own-rule.md']
/** What only the reader of these pages has installed. */
const NOT_HERE = ['@opentelemetry/exporter-trace-otlp-http', '@opentelemetry/resources']

const CACHE = path.join(ROOT, 'node_modules/.cache')
// Below the root, so that a block finds the packages by their names.
const folder = mkdtempSync(path.join(CACHE, 'types-of-blocks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Where a block stands in a project: as the page names the file, as the link above it does, or by itself. */
const placeOf = ({ page, line, language, file }: Block): string => {
  const above =
    read(page)
      .split('\n')
      .slice(0, line - 1)
      .join('\n')
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  const [, example] = /^\[examples\/\w[\w-]*\/([\w./-]+)\]\([^)]*\):$/.exec(above) ?? []
  const [, project = ''] = /^\[examples\/([\w-]+)\//.exec(above) ?? []
  return path.join(page.replace(/\.md$/, ''), project, file ?? example ?? `line-${line}.${language}`)
}

const blocks = PAGES.filter((page) => !CHECKED_THERE.includes(page))
  .flatMap((page) => blocksOf(page))
  .filter(({ language }) => language === 'js' || language === 'ts')

const OPTIONS = { composite: false, emitDeclarationOnly: false, noEmit: true, allowJs: true, checkJs: true }

const errorsOf = (include: string, options: object): string[] => {
  const config = path.join(folder, 'tsconfig.json')
  const project = { extends: path.join(ROOT, 'tsconfig.json'), compilerOptions: { ...OPTIONS, ...options } }
  writeFileSync(config, JSON.stringify({ ...project, include: [include] }))
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

it('compiles every block of TypeScript and JavaScript under strict settings', () => {
  expect(blocks.length).toBeGreaterThan(20)
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  for (const block of blocks) {
    const file = path.join(folder, 'pages', placeOf(block))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, block.code)
  }
  // JavaScript has no place to say the type of a parameter; everything else of `strict` holds for it.
  const errors = errorsOf('pages/**/*', { noImplicitAny: false }).filter((error) => error.startsWith('pages/'))
  expect(errors.filter((error) => !NOT_HERE.some((name) => error.includes(`'${name}'`)))).toEqual([])
})

it('finds a value that may be missing, and a property that is not there', () => {
  const program = `import { createClient } from '@rollcall/client'
createClient({ url: process.env.SERVER })
createClient({ address: 'http://127.0.0.1' })
`
  mkdirSync(path.join(folder, 'wrong'))
  writeFileSync(path.join(folder, 'wrong/program.js'), program)
  expect(errorsOf('wrong/*', {})).toHaveLength(2)
})
