import { readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { scratchFolder } from './scratch-folder.ts'
import { TestReporter } from './test-reporter.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const RESULTS = 'node_modules/.cache/tests'
const SPANS = path.join(import.meta.dirname, 'watch-spans.ts')
const POSTGRES = path.join(ROOT, 'packages/storage-sql/test/postgres-server/global-setup.ts')

/** Milliseconds that only say that a test hangs: a machine at a load of 30 takes minutes for what takes an idle one seconds. */
const HANGS = 600_000

/** `fast` needs nothing but `npm ci` and a PostgreSQL, which it installs; `system` has what needs more of the machine, or minutes. */
type Tier = 'fast' | 'system'

/** The tests of a tier. */
export const tier = (name: Tier): ViteUserConfig => {
  process.env.TMPDIR = scratchFolder()
  // For all that is started from here on: reading the program is most of a start.
  process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/compiled')
  // One more than there are processors: most tests wait for something now and then.
  const workers = Math.min(os.availableParallelism() + 1, 8)
  return defineConfig({
    // What lets a package's own `npm test` find the projects from its own directory.
    root: ROOT,
    test: {
      projects: projects().map(([project, folders]) => projectOf(project, folders, { name, workers })),
      reporters: [['json', { outputFile: `${RESULTS}/${name}.json` }], new TestReporter(workers)],
      maxWorkers: workers,
      sequence: { sequencer: LongestFirst },
    },
  })
}

/**
 * A project for each package, named like it, if one is asked for by `--project`. Else all of them are one: only the
 * files of one project share a process, and what it has loaded.
 */
const projects = (): [name: string, folders: readonly string[]][] => {
  const folders = [
    ...readdirSync(path.join(ROOT, 'packages')).map((folder) => `packages/${folder}`),
    ...['architecture', 'deploy', 'examples', 'proving', 'scripts'],
  ]
  if (!process.argv.some((argument) => argument.startsWith('--project'))) return [['all', folders]]
  return folders.map((folder) => [folder.replace(/^packages\//, '@rollcall/'), [folder]])
}

const projectOf = (
  project: string,
  folders: readonly string[],
  { name, workers }: { readonly name: Tier; readonly workers: number },
): TestProjectInlineConfiguration => ({
  test: {
    name: project,
    root: ROOT,
    include: folders.map((folder) => `${folder}/**/*${name === 'system' ? '.system' : ''}.test.ts`),
    exclude: ['**/node_modules/**', '**/dist/**', ...(name === 'system' ? [] : ['**/*.system.test.ts'])],
    testTimeout: name === 'system' ? 3 * HANGS : HANGS,
    hookTimeout: HANGS,
    expect: { poll: { timeout: HANGS, interval: 10 } },
    maxWorkers: workers,
    // Files share a process, and what it has loaded: half of a run was loading it again.
    isolate: false,
    // A test may go to another folder and change its environment, which a thread cannot.
    pool: 'forks',
    setupFiles: [SPANS],
    globalSetup: [POSTGRES],
  },
})

/** What waits for servers and processes comes first: it must not be what all wait for in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}

const LONGEST = [/\/guides/, /\/proving\//, /\/contract\.test/, /\/app\/test\//]

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((pattern) => pattern.test(moduleId))
  return place < 0 ? LONGEST.length : place
}
