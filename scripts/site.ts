import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vitepress'
import { typescriptPages } from './docs/typescript-pages.ts'

/**
 * Builds the documentation as a site, into the folder `site`: static files for any web server, at `/` or another path.
 * The pages of the TypeScript API are made first, in `docs/reference/typescript`.
 *
 *     npm run docs [-- --base /rollcall/] [--output folder]
 */
const ROOT = path.join(import.meta.dirname, '..')
const API = path.join(ROOT, 'docs/reference/typescript')

const { base, output } = parseArgs({ options: { base: { type: 'string' }, output: { type: 'string' } } }).values
const options = { ...(base === undefined ? {} : { base }), ...(output ? { outDir: path.resolve(output) } : {}) }

execFileSync(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], {
  cwd: ROOT,
  stdio: 'inherit',
})
rmSync(API, { recursive: true, force: true })
mkdirSync(API)
for (const [name, text] of typescriptPages()) writeFileSync(path.join(API, name), text)
await build(path.join(ROOT, 'docs'), options)
