import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runCommand } from '../../proving/shared/command.ts'
import type { Answer } from './answers/answer.ts'
import { generate } from './generators/generate.ts'
import { type Input, type RequestInput, ruleOf, type Violation } from './input.ts'
import { Connection } from './lanes/connection.ts'
import { openService } from './open-service.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { replay } from './reduce.ts'
import { type FuzzReport, runFuzz } from './run-fuzz.ts'

/** Kinds whose answers depend on the request alone. */
const KINDS = ['body', 'headers', 'import', 'target', 'token']

/**
 * Sends each input to a service on SQLite and to one on PostgreSQL, and reports where the answers differ
 * in more than times and random values.
 */
const compareStores = async ({ seed, first, inputs }: Pick<Options, 'seed' | 'first' | 'inputs'>) => {
  const findings: Violation[] = []
  const found = (problem: string): void => {
    findings.push({ problem, input: undefined })
  }
  await using sqlite = await openService('sqlite', found)
  await using postgres = await openService('postgres', found)
  let compared = 0
  for (let number = first; number < first + inputs; number++) {
    const input = generate(seed, number, sqlite.around)
    if (!isComparable(input)) continue
    const [one, other] = await Promise.all([sqlite, postgres].map(({ service }) => ask(service.port, input)))
    compared++
    if (one !== other) findings.push({ problem: `difference: ${firstDifference(one, other)}`, input })
  }
  return { compared, findings }
}

const firstDifference = (one = '', other = ''): string => {
  const lines = other.split('\n')
  const [line = '', at = 0] =
    one
      .split('\n')
      .map((text, n) => [text, n] as const)
      .find(([text, n]) => text !== lines[n]) ?? []
  return `${line.slice(0, 300)}\n  on PostgreSQL: ${lines[at]?.slice(0, 300)}`
}

// Links are random, so each service has its own; the other paths show what runs in the background.
const isComparable = (input: Input): input is RequestInput =>
  input.kind !== 'stream' &&
  KINDS.includes(input.kind) &&
  !/^\w+ \S*\/(?:confirm|refuse|unsubscribe|preferences|readyz|challenge|audit|events)\b/.test(
    input.bytes.toString('latin1', 0, 200),
  )

const ask = async (port: number, { bytes, method }: RequestInput): Promise<string> => {
  const connection = await Connection.open(port)
  connection.write(bytes)
  const { answers, end, problem } = await connection.receive([method])
  connection.close()
  const [answer] = answers
  return answer === undefined ? `${end} ${problem}` : timeless(answer)
}

const OF_THE_MOMENT = /^(?:date|etag|last-modified|x-request-id)$/i

/** The answer without times and random values. */
const timeless = ({ status, fields, body }: Answer): string => {
  const kept = fields.filter(([name]) => !OF_THE_MOMENT.test(name)).map((field) => field.join(': '))
  const text = body
    .toString('utf8')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, 'T')
    .replace(/[0-9a-f]{32,64}/g, 'HASH')
    .replace(/(?:cursor=|"next":")[\w-]+/g, 'NEXT')
    .replace(/"(?:secret|previous_secret)":"[^"]+"/g, 'SECRET')
    .replace(/name="stamp" value="[^"]+"/g, 'STAMP')
    // Refusals are written within a second, so the trail may not have them yet.
    .replace(/"audit":\[[\s\S]*$/, '"audit"')
  return [status, ...kept, '', text].join('\n')
}

/** The report as text. Findings are written to the folder as files for `--replay`. */
const reportText = (report: FuzzReport, folder: string): string => {
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

const FOUND = 3
const EVERY = 10_000

const run = async (args: readonly string[]): Promise<number> => {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  if (options.replay !== undefined) {
    const problems = await replay(options.replay, options.store)
    process.stdout.write(problems.length === 0 ? 'no problems\n' : `${problems.join('\n')}\n`)
    return problems.length === 0 ? 0 : FOUND
  }
  process.stderr.write(`seed ${options.seed}\n`)
  if (options.differential) {
    const { compared, findings } = await compareStores(options)
    for (const { problem, input } of findings)
      process.stdout.write(
        `FOUND ${problem}\n  --differential --seed ${options.seed} --first ${input?.number} --inputs 1\n`,
      )
    process.stdout.write(`${compared} inputs compared, ${findings.length} differences\n`)
    return findings.length === 0 ? 0 : FOUND
  }
  let shown = 0
  const report = await runFuzz(options, {
    sent: (count) => {
      if (count - shown < EVERY) return
      shown = count
      process.stderr.write(`${count.toLocaleString('en-US')} sent\n`)
    },
    found: ({ problem, input }) => {
      process.stderr.write(`${problem.slice(0, 200)} (input ${input?.number ?? 'unknown'})\n`)
    },
  })
  const folder = options.out ?? path.join(os.tmpdir(), `rollcall-findings-${report.seed}`)
  process.stdout.write(`${reportText(report, folder)}\n`)
  return report.findings.length === 0 ? 0 : FOUND
}

await runCommand('check:fuzz', run)
