import { parseArgs } from 'node:util'
import { builtOnce } from '../shared/built-once.ts'
import { runCommand, UsageError, understood, whole } from '../shared/command.ts'
import { fromSource } from '../shared/service.ts'
import { isGood, printed, type Report, reported } from '../target/rows.ts'
import { SCENARIOS } from './scenarios.ts'
import { whatIsMissing } from './tools.ts'

const BROKEN_PROMISE = 3
const MISSING = 2
const NAMES = SCENARIOS.map(({ name }) => name)

const USAGE = `Usage: npm run check:world -- [options]

Runs the service beside what others made: poolers, balancers, fail-over and caches, each under 200 sign-ups and 20
deletions a second, and compares what it has with what it has acknowledged. Everything runs in a temporary folder and is
gone at the end. Exits with 3 if a promise was broken, and with 2 if something is missing, with the command that
installs it. See proving/README.md.

${SCENARIOS.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}

  --only <name>       only this one; may be repeated
  --kills <n>         how often an instance is killed (default: 4)
  --seconds <n>       under load, if nothing else decides how long (default: 20)
  --source            the source, instead of the built product
  --json              print the results as JSON
  --help              print this help

Environment:
  TEST_POSTGRES_URL   a server to use where none is stopped or lost
  PGBOUNCER_NEW       a PgBouncer 1.21 or later, which knows prepared statements, instead of the one that is installed

Examples:
  npm run check:world
  npm run check:world -- --only pgbouncer --only haproxy --seconds 60
  npm run check:world -- --only haproxy --kills 20
`

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  kills: { type: 'string', default: '4' },
  seconds: { type: 'string', default: '20' },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

await runCommand('check:world', async (args) => {
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const unknown = values.only.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`--only must be one of ${NAMES.join(', ')}, not '${unknown}'.`)
  const wanted = SCENARIOS.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  const context = {
    ...{ product: values.source ? () => fromSource() : builtOnce(log), log },
    ...{ kills: whole('kills', values.kills) },
    seconds: Math.max(1, whole('seconds', values.seconds)),
  }
  const missing = whatIsMissing(wanted.flatMap(({ tools }) => tools))
  for (const line of missing) log(line)
  if (missing.length > 0) return MISSING
  const reports: Report[] = []
  for (const { name, run } of wanted) {
    log(name)
    reports.push(await reported(name, 'postgres', () => run(context)))
  }
  process.stdout.write(`${values.json ? JSON.stringify(reports, null, 2) : printed(reports)}\n`)
  return reports.every(isGood) ? 0 : BROKEN_PROMISE
})
