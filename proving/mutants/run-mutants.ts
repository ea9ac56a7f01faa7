import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Group } from './groups.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const CORE = path.join(ROOT, 'packages/core')
const TOOLS = path.join(ROOT, 'tools')
const STRYKER = path.join(TOOLS, 'mutation/node_modules/@stryker-mutator')
const CACHE = path.join(ROOT, 'node_modules/.cache/mutants')

const configFor = (tests: readonly string[]) => `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: { include: ${JSON.stringify(tests)}, isolate: false, testTimeout: 600_000, hookTimeout: 600_000 },
})
`

interface MutantsOptions {
  readonly group: Group
  /** Only those of this file, from `packages/core`; no bar, and nothing of them is remembered. */
  readonly file?: string | undefined
  readonly workers: number
  /** Called with what Stryker says, as it says it. */
  readonly say?: (text: string) => void
}

/**
 * Changes the files of the group at one place after another, and runs the tests of the core that reach the place. In a copy,
 * so that nothing is left changed if it is stopped. What is known of an earlier run stays if neither file nor tests changed.
 * Whether enough changes were noticed, and the report on those that were not.
 */
export const runMutants = async ({ group, file, workers, say = () => undefined }: MutantsOptions) => {
  execFileSync(process.execPath, [path.join(TOOLS, 'install.cjs'), 'tools/mutation'], { stdio: 'inherit' })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rollcall-mutants-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src', 'memory', 'contract', 'test', 'package.json'])
    cpSync(path.join(CORE, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'vitest.config.mjs'), configFor(group.tests))
  const options = {
    ...(file === undefined ? allOf(group) : { mutate: [file] }),
    ...{ inPlace: true, ignoreStatic: true, concurrency: workers, disableTypeChecks: false },
    ...{ testRunner: 'vitest', plugins: [path.join(STRYKER, 'vitest-runner/dist/src/index.js')] },
    ...{ vitest: { configFile: 'vitest.config.mjs', related: false }, coverageAnalysis: 'perTest' },
    ...{ reporters: ['clear-text', 'progress-append-only'], allowConsoleColors: false },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  }
  writeFileSync(path.join(folder, 'stryker.json'), JSON.stringify(options))
  const program = path.join(STRYKER, 'core/bin/stryker.js')
  const stryker = spawn(process.execPath, [program, 'run', 'stryker.json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let report = ''
  stryker.stdout.setEncoding('utf8').on('data', (text: string) => {
    report += text
    say(text)
  })
  const [status] = await once(stryker, 'close')
  return { isEnough: status === 0, report }
}

const allOf = (group: Group) => ({
  mutate: [...group.files, ...group.except.map((pattern) => `!${pattern}`)],
  ...{ incremental: true, incrementalFile: remembered(group) },
  thresholds: { high: group.bar, low: group.bar, break: group.bar },
})

/** Stryker compares mutated files and tests with those of the earlier run, and nothing else: the rest names the memory. */
const remembered = (group: Group): string => {
  const { name, files, except } = group
  const compared = new Set(globSync(files, { cwd: CORE, exclude: except }))
  const hash = createHash('sha256').update(JSON.stringify(group))
  hash.update(readFileSync(path.join(TOOLS, 'mutation/package-lock.json')))
  for (const file of globSync('{src,memory,contract,test}/**/*.ts', { cwd: CORE }).sort())
    if (!compared.has(file) && !file.endsWith('.test.ts')) hash.update(file).update(readFileSync(path.join(CORE, file)))
  const memory = path.join(CACHE, `${name}-${hash.digest('hex').slice(0, 16)}.json`)
  mkdirSync(CACHE, { recursive: true })
  for (const other of globSync(path.join(CACHE, `${name}-*.json`))) if (other !== memory) rmSync(other)
  return memory
}
