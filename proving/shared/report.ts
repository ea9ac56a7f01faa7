import { type Finding, INVARIANTS } from './finding.ts'
import { textTable } from './text-table.ts'

export type StoreName = 'sqlite' | 'postgres'

/** The result of one check. */
export interface CheckReport {
  readonly name: string
  readonly store: StoreName
  /** The arguments that repeat the run. */
  readonly replay: string
  readonly findings: readonly Finding[]
  /** Rows of a table, by column heading. */
  readonly rows: readonly Readonly<Record<string, string | number>>[]
}

const MOST_FINDINGS = 20

/** As text. `command` is the script that repeats them. */
export const printed = (reports: readonly CheckReport[], command = 'check:crash'): string =>
  reports
    .map((report) => [heading(report, command), tableOf(report), ...findingsOf(report, command)].join('\n'))
    .join('\n\n')

const heading = ({ name, store, replay }: CheckReport, command: string): string =>
  `${store}: ${name} (npm run ${command} -- ${replay})`

const tableOf = ({ rows }: CheckReport): string => {
  const head = Object.keys(rows[0] ?? {})
  return textTable({ head, rows: rows.map((row) => head.map((name) => row[name] ?? '')) })
}

const findingsOf = ({ findings, replay }: CheckReport, command: string): string[] => {
  if (findings.length === 0) return []
  const broken = [...new Set(findings.map(({ invariant }) => invariant))]
  return [
    `${findings.length} findings. To repeat them: npm run ${command} -- ${replay}`,
    ...broken.map((invariant) => `  ${invariant}: ${INVARIANTS[invariant]}`),
    ...findings
      .slice(0, MOST_FINDINGS)
      .map(({ invariant, message, kill }) => `  ${invariant} after kill ${kill}: ${message}`),
  ]
}
