import { readOptions, USAGE, UsageError } from './options.ts'
import { printed } from './report.ts'
import { runChecks } from './run-checks.ts'

const USAGE_ERROR = 2
const BROKEN_PROMISE = 3
const INTERRUPTED = 130

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(USAGE)
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  process.stderr.write(`seed ${options.seed}\n`)
  const reports = await runChecks(options, (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(reports, null, 2) : printed(reports)}\n`)
  if (reports.some(({ findings, failures = [] }) => findings.length + failures.length > 0))
    process.exitCode = BROKEN_PROMISE
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`error: ${error.message} See npm run check:crash -- --help.\n`)
  process.exitCode = USAGE_ERROR
}
