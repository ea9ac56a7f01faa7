import Table from 'cli-table3'
import type { CheckReport } from './checks/check.ts'
import { INVARIANTS } from './finding.ts'

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
