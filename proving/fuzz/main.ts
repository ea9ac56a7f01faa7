import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { builtOnce } from '../shared/built-once.ts'
import { runCommand, UsageError, understood, whole } from '../shared/command.ts'
import { somePostgres } from '../shared/postgres-store.ts'
import { fromSource } from '../shared/service.ts'
import { openFuzzed, seedIn } from './fuzzed-service.ts'
import { tried } from './rules.ts'
import { asStream, type Finding, runFuzz } from './run-fuzz.ts'

const FOUND = 3
const EVERY = 10_000

const USAGE = `Usage: npm run check:fuzz -- [options]

Sends generated inputs to the service, in a process of its own, over real connections, and checks every answer, the
log, and the stored data. Exits with 3 if something was found; each finding is made smaller and written to a file.

  --inputs <n>      how many inputs (default: 1,000,000)
  --seed <n>        the seed of the inputs (default: a new one, which is printed)
  --lanes <n>       concurrent connections (default: 24); a lane ends with its first finding
  --store <name>    sqlite or postgres (default: sqlite)
  --replay <file>   only send the content of this file, and print the problems; a kept seed will do
  --out <folder>    the folder for findings (default: a temporary folder)
  --source          the source, instead of the built product
  --help            print this help

Examples:
  npm run check:fuzz -- --inputs 20000
  npm run check:fuzz -- --replay proving/fuzz/seeds/both-framings.json
`

const OPTIONS = {
  inputs: { type: 'string', default: '1000000' },
  seed: { type: 'string' },
  lanes: { type: 'string', default: '24' },
  store: { type: 'string', default: 'sqlite' },
  replay: { type: 'string' },
  out: { type: 'string' },
  source: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** As text; what can be sent again is written to the folder. */
const described = ({ problem, input }: Finding, n: number, folder: string): string => {
  if (input === undefined) return `FOUND ${problem}\n  (the input cannot be identified)`
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${n}-${problem.slice(0, problem.indexOf(':'))}.json`)
  const bytes = input.bytes.toString('latin1')
  writeFileSync(file, `${JSON.stringify({ why: problem, bytes }, null, 2)}\n`)
  return `FOUND ${problem}\n  --replay ${file}\n  ${input.kind}, ${input.way}: ${JSON.stringify(bytes.slice(0, 600))}`
}

await runCommand('check:fuzz', async (args) => {
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const { store, replay } = values
  if (store !== 'sqlite' && store !== 'postgres') throw new UsageError('--store must be sqlite or postgres.')
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole('seed', values.seed)
  const [inputs, lanes] = [whole('inputs', values.inputs), Math.max(1, whole('lanes', values.lanes))]
  const postgres = store === 'postgres' ? await somePostgres() : undefined
  const on = { program: values.source ? fromSource() : builtOnce(log)(), server: postgres?.url }
  try {
    if (replay !== undefined) {
      const problems: string[] = []
      await using service = await openFuzzed({ ...on, found: (problem) => problems.push(problem) })
      for (const way of ['whole', 'halves', 'bytes'] as const) {
        const bytes = seedIn(replay, service.around.tokens.admin)
        problems.push(...(await tried(service.port, { ...asStream(bytes), way })).problems.map((it) => `${way}: ${it}`))
      }
      process.stdout.write(`${problems.length === 0 ? 'no problems' : problems.join('\n')}\n`)
      return problems.length === 0 ? 0 : FOUND
    }
    log(`seed ${seed}`)
    const began = performance.now()
    const report = await runFuzz({
      ...{ ...on, seed, inputs, lanes },
      progress: (sent, finding) => {
        if (finding !== undefined) log(finding.problem.slice(0, 200))
        else if (sent % EVERY === 0) log(`${sent.toLocaleString('en-US')} sent`)
      },
    })
    const folder = values.out ?? path.join(os.tmpdir(), `rollcall-findings-${seed}`)
    const statuses = [...report.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    const lines = [
      ...report.findings.map((finding, n) => described(finding, n, folder)),
      `${report.sent} inputs in ${((performance.now() - began) / 1_000).toFixed(0)} s, ${report.findings.length} findings`,
      `answers ${statuses.join(', ')}`,
      `longest GET /livez ${report.slowest.toFixed(0)} ms; most memory ${report.megabytes.toFixed(0)} MB`,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    return report.findings.length === 0 ? 0 : FOUND
  } finally {
    await postgres?.stop()
  }
})
