import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findCores } from './command.ts'
import { readOptions, USAGE, UsageError } from './options.ts'
import { printed } from './report.ts'
import { runBench } from './run-bench.ts'

const USAGE_ERROR = 2
const INTERRUPTED = 130

/** On the disk of the project: the system's temporary folder may be in memory. */
const makeScratch = (): string => {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(path.join(cache, 'bench-'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  return scratch
}

const main = async (): Promise<void> => {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) {
    process.stdout.write(USAGE)
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  const report = await runBench(options, makeScratch(), findCores(), (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : printed(report)}\n`)
  if (!report.valid) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`error: ${error.message} See npm run bench -- --help.\n`)
  process.exitCode = USAGE_ERROR
}
