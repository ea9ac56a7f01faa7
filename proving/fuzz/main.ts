import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { judge, log, runCheck, SEED, SOURCE } from '../shared/check.ts'
import { shown } from '../shared/report.ts'
import { type Finding, runFuzz } from './run-fuzz.ts'

const EVERY = 10_000
const LANES = 24

/** As text; what can be sent again is written to the folder. */
const described = ({ problem, input }: Finding, n: number, folder: string): string => {
  if (input === undefined) return `${problem} (the input cannot be identified)`
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${n}-${problem.slice(0, problem.indexOf(':'))}.json`)
  const bytes = input.bytes.toString('latin1')
  writeFileSync(file, `${JSON.stringify({ why: problem, bytes }, null, 2)}\n`)
  return `${problem}\n  ${file}\n  ${input.kind}, ${input.way}: ${JSON.stringify(bytes.slice(0, 600))}`
}

await runCheck({
  name: 'check:fuzz',
  about: `Sends generated inputs to the service, in a process of its own, over real connections, and checks every answer, the
log, and the stored data. Each finding is made smaller and written to a file.`,
  options: {
    inputs: ['1,000,000', 'how many inputs'],
    ...SEED,
    ...SOURCE,
  },
  run: async (given) => {
    const inputs = given.number('inputs')
    const { seed, program } = given
    const report = await runFuzz({
      ...{ program, seed, inputs, lanes: LANES },
      progress: (sent, finding) => {
        if (finding !== undefined) log(finding.problem.slice(0, 200))
        else if (sent % EVERY === 0) log(`${sent.toLocaleString('en-US')} sent`)
      },
    })
    const folder = path.join(os.tmpdir(), `rollcall-findings-${seed}`)
    const found = report.findings.map((finding, n) => described(finding, n, folder))
    const statuses = [...report.statuses].sort(([a], [b]) => a - b)
    const rows = [
      ...shown(Object.fromEntries(statuses.map(([status, count]) => [`answers with ${status}`, count]))),
      ...shown({ 'longest GET /livez, ms': report.slowest, 'most memory, MB': report.megabytes }),
      {
        figure: `findings in ${report.sent} inputs`,
        found: found.length,
        bound: 0,
        note: found.join('\n  ') || undefined,
      },
    ]
    return judge([{ name: 'fuzz', store: 'sqlite', rows }])
  },
})
