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
const REPORT = 'report.json'

const configFor = (tests: readonly string[]) => `import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: { include: ${JSON.stringify(tests)}, isolate: false, testTimeout: 600_000, hookTimeout: 600_000 },
})
`

interface Place {
  readonly line: number
  readonly column: number
}

interface Mutant {
  readonly status: string
  readonly replacement: string
  readonly location: { readonly start: Place; readonly end: Place }
}

interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

/** What became of the mutants of a file. */
export interface FileScore {
  readonly file: string
  /** How many a test has found; one that never ends is found, too. */
  readonly found: number
  readonly all: number
  /** A line for each that no test has found. */
  readonly survivors: readonly string[]
}

interface MutantsOptions {
  readonly group: Group
  /** Only those of this file, from `packages/core`; nothing of them is remembered. */
  readonly file?: string | undefined
  readonly workers: number
  /** Where what Stryker says goes: `ignore`, or a file descriptor. */
  readonly output?: 'ignore' | number
}

/**
 * Changes the files of the group at one place after another, and runs the tests of the core that reach the place. In a copy,
 * so that nothing is left changed if it is stopped. What is known of an earlier run stays if neither file nor tests changed.
 */
export const runMutants = async ({
  group,
  file,
  workers,
  output = 'ignore',
}: MutantsOptions): Promise<readonly FileScore[]> => {
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
    ...{ reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: REPORT } },
  }
  writeFileSync(path.join(folder, 'stryker.json'), JSON.stringify(options))
  const stryker = spawn(process.execPath, [path.join(STRYKER, 'core/bin/stryker.js'), 'run', 'stryker.json'], {
    cwd: folder,
    stdio: ['ignore', output, output === 'ignore' ? 'inherit' : output],
  })
  const [status] = await once(stryker, 'exit')
  if (status !== 0) throw new Error(`Stryker failed (${status}). Do the tests of the core pass?`)
  return scoresIn(JSON.parse(readFileSync(path.join(folder, REPORT), 'utf8')))
}

const allOf = (group: Group) => ({
  mutate: [...group.files, ...group.except.map((pattern) => `!${pattern}`)],
  ...{ incremental: true, incrementalFile: remembered(group) },
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

const FOUND = new Set(['Killed', 'Timeout'])
const MISSED = new Set(['Survived', 'NoCoverage'])

const scoresIn = ({ files }: StrykerReport): readonly FileScore[] =>
  Object.entries(files).map(([file, { source, mutants }]) => {
    const found = mutants.filter(({ status }) => FOUND.has(status)).length
    const missed = mutants.filter(({ status }) => MISSED.has(status))
    const survivors = missed.map((mutant) => described(file, source, mutant))
    return { file, found, all: found + missed.length, survivors }
  })

const described = (file: string, source: string, { location: { start, end }, replacement }: Mutant): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.pop() ?? ''
  const before = [...lines, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1)
  return `packages/core/${file}:${start.line}  ${brief(before)}  =>  ${brief(replacement)}`
}

const brief = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** Of a hundred mutants, how many were found. */
export const scoreOf = (scores: readonly FileScore[]): number => {
  const sum = (of: (score: FileScore) => number) => scores.reduce((total, score) => total + of(score), 0)
  return (100 * sum(({ found }) => found)) / sum(({ all }) => all)
}
