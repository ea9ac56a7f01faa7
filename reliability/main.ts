import { runCommand } from './command.ts'
import { readOptions, USAGE } from './options.ts'
import { printed } from './report.ts'
import { runChecks } from './run-checks.ts'

const BROKEN_PROMISE = 3

await runCommand('check:crash', async (args) => {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  process.stderr.write(`seed ${options.seed}\n`)
  const reports = await runChecks(options, (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(reports, null, 2) : printed(reports)}\n`)
  return reports.some(({ findings, failures = [] }) => findings.length + failures.length > 0) ? BROKEN_PROMISE : 0
})
