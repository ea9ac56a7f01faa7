/** A part of the core whose mutants are counted together. */
export interface Group {
  readonly name: 'decisions' | 'core'
  /** Patterns of its files, from `packages/core`. */
  readonly files: readonly string[]
  readonly except: readonly string[]
  /** At least this many of a hundred mutants must be found by a test. */
  readonly bar: number
}

const DECISIONS = ['src/**/decide*.ts', 'src/access/*.ts']

export const GROUPS: readonly [decisions: Group, core: Group] = [
  { name: 'decisions', files: DECISIONS, except: [], bar: 95 },
  { name: 'core', files: ['src/**/*.ts'], except: DECISIONS, bar: 85 },
]
