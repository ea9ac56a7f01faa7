/** A part of the core whose mutants are counted together. */
export interface Group {
  readonly name: 'decisions' | 'core'
  readonly about: string
  /** Patterns of its files, from `packages/core`. */
  readonly files: readonly string[]
  readonly except: readonly string[]
  /** Patterns of the tests that have to find them: more that reach the same take longer and find nothing. */
  readonly tests: readonly string[]
  /** At least this many of a hundred mutants must be found by a test. */
  readonly bar: number
}

const DECISIONS = ['src/**/decide*.ts', 'src/access/*.ts']
const THEIR_TESTS = ['decide-*', 'admit', 'access', 'authorization-policy', 'own-policy', 'feedback-brake']

/** Not the bundles of the whole core: they say little of its behaviour. */
const EVERY_TEST = ['{test,memory}/**/!(size|bare-engine).test.ts']

export const GROUPS: readonly [decisions: Group, core: Group] = [
  {
    name: 'decisions',
    about: 'decisions and policy: at least 95 % are noticed',
    files: DECISIONS,
    except: [],
    tests: [`test/{${THEIR_TESTS}}.test.ts`],
    bar: 95,
  },
  {
    name: 'core',
    about: 'the rest: at least 85 %',
    files: ['src/**/*.ts'],
    except: DECISIONS,
    tests: EVERY_TEST,
    bar: 85,
  },
]
