import Table from 'cli-table3'
import { type Finding, INVARIANTS } from './finding.ts'
import type { Options } from './options.ts'
import type { StoreName } from './points/points.ts'
import type { Program } from './service/service.ts'

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

const MOST_FINDINGS = 20

/** For people. */
export const printed = (reports: readonly CheckReport[]): string =>
  reports
    .map((report) => [heading(report), tableOf(report), ...findingsOf(report), ...(report.failures ?? [])].join('\n'))
    .join('\n\n')

const heading = ({ name, store, replay }: CheckReport): string => `${store}: ${name} (npm run check:crash -- ${replay})`

const tableOf = ({ rows }: CheckReport): string => {
  const head = Object.keys(rows[0] ?? {})
  const table = new Table({ head, style: { head: [], border: [] } })
  for (const row of rows) table.push(head.map((name) => row[name] ?? ''))
  return table.toString()
}

const findingsOf = ({ findings, replay }: CheckReport): string[] => {
  if (findings.length === 0) return []
  const broken = [...new Set(findings.map(({ invariant }) => invariant))]
  return [
    `${findings.length} findings. To see them again: npm run check:crash -- ${replay}`,
    ...broken.map((invariant) => `  ${invariant}: ${INVARIANTS[invariant]}`),
    ...findings
      .slice(0, MOST_FINDINGS)
      .map(({ invariant, message, kill }) => `  ${invariant} after kill ${kill}: ${message}`),
  ]
}
