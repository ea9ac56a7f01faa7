import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ruleOf, type Violation } from './input.ts'
import type { FuzzReport } from './run-fuzz.ts'

/** The report as text. Findings are written to the folder as files for `--replay`. */
export const reportText = (report: FuzzReport, folder: string): string => {
  const { seed, sent, seconds, slowest, mostMemory, findings, statuses } = report
  const answered = [...statuses].sort().map(([status, count]) => `${status}: ${count.toLocaleString('en-US')}`)
  const rate = Math.round(sent / seconds)
  return [
    ...findings.map((finding, n) => describe(report, finding, n, folder)),
    `${sent.toLocaleString('en-US')} inputs in ${Math.round(seconds)} s (${rate} a second), seed ${seed}`,
    `requests answered with ${answered.join(', ')}`,
    `longest GET /livez ${Math.round(slowest)} ms, most memory ${Math.round(mostMemory / 2 ** 20)} MB`,
    `${findings.length} findings`,
  ].join('\n')
}

const describe = (report: FuzzReport, finding: Violation, n: number, folder: string): string => {
  const { problem, input } = finding
  const found = report.reductions.get(finding)
  const shown = found ?? input
  if (shown === undefined) return `FOUND ${problem}\n  (the input cannot be identified)\n`
  const file = path.join(folder, `${n}-${ruleOf(problem)}.json`)
  mkdirSync(folder, { recursive: true })
  const bytes = shown.bytes.toString('latin1')
  writeFileSync(file, `${JSON.stringify({ why: problem, bytes }, null, 2)}\n`)
  const again = input && input.number >= 0 ? `  --seed ${report.seed} --first ${input.number} --inputs 1\n` : ''
  const how = found === undefined ? 'as it was sent; alone it breaks no rule' : 'reduced'
  return `FOUND ${problem}\n${again}  --replay ${file}   (${how})\n  ${JSON.stringify(bytes.slice(0, 600))}\n`
}
