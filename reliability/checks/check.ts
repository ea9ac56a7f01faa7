import type { Finding } from '../finding.ts'
import type { Options } from '../options.ts'
import type { StoreName } from '../points/points.ts'
import type { Program } from '../service/program.ts'

/** What one part of a run found. */
export interface CheckReport {
  readonly name: string
  readonly store: StoreName
  /** The arguments that do the same again. */
  readonly replay: string
  readonly findings: readonly Finding[]
  /** What is wrong with the harness itself. */
  readonly failures?: readonly string[]
  /** For a table: under each heading what came out. */
  readonly rows: readonly Readonly<Record<string, string | number>>[]
}

/** What checks are run with. */
export interface Surroundings {
  readonly store: StoreName
  /** Of a PostgreSQL server, where the store is to be on one. */
  readonly server: string | undefined
  /** What ships, built when it is first asked for. */
  readonly product: () => Program
  /** Told how far it is, for people to see. */
  readonly tell: (line: string) => void
}

export type Check = (options: Options, surroundings: Surroundings) => Promise<CheckReport>
