import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { typescriptPages } from './docs/typescript-pages.ts'

/**
 * Builds the documentation as a site, into the folder `site`: static files for any web server, at `/` or another path.
 * The first page, `docs/index.md`, and the pages of the TypeScript API, `docs/reference/typescript`, are made first.
 *
 *     npm run docs [-- --base /rollcall/] [--output folder]
 */
const ROOT = path.join(import.meta.dirname, '..')
const SITE = 'tools/site'
const API = path.join(ROOT, 'docs/reference/typescript')

const { base, output } = parseArgs({ options: { base: { type: 'string' }, output: { type: 'string' } } }).values
const folder = output ? path.resolve(output) : path.join(ROOT, 'site')

execFileSync(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-b'], {
  cwd: ROOT,
  stdio: 'inherit',
})
rmSync(API, { recursive: true, force: true })
mkdirSync(API)
for (const [name, text] of typescriptPages()) writeFileSync(path.join(API, name), text)

// The first page is that of the repository, whose links are now seen from `docs`.
const front = readFileSync(path.join(ROOT, 'README.md'), 'utf8')
writeFileSync(
  path.join(ROOT, 'docs/index.md'),
  front.replaceAll(/\]\((docs\/|(?!\w+:|#))/g, (_, inDocs: string) => (inDocs === '' ? '](../' : '](')),
)

execFileSync(process.execPath, [path.join(ROOT, 'tools/install.cjs'), SITE], { stdio: 'inherit' })
const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-b', path.join(SITE, '.vitepress')], { cwd: ROOT, stdio: 'inherit' })
const vitepress = path.join(ROOT, SITE, 'node_modules/vitepress/bin/vitepress.js')
const options = ['--outDir', folder, ...(base === undefined ? [] : ['--base', base])]
const built = spawnSync(process.execPath, [vitepress, 'build', SITE, ...options], {
  cwd: ROOT,
  stdio: ['inherit', 'inherit', 'pipe'],
  encoding: 'utf8',
})
// VitePress has an esbuild that meets the target of the packages, which the site does not use, and does not know it.
process.stderr.write(built.stderr.replaceAll(/▲ \[WARNING\] Unrecognized target environment "es2024"[^╵]*╵.*\n+/g, ''))
if (built.status !== 0) process.exit(1)

const look = ['npx vite preview --outDir', path.relative('', folder), ...(base === undefined ? [] : ['--base', base])]
console.log(`The site is in ${folder}. Look at it: ${look.join(' ')}`)
