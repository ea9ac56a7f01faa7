import { runCommand } from '../proving/shared/command.ts'
import { findCores } from './command.ts'
import { readOptions, USAGE } from './options.ts'
import { printed } from './report.ts'
import { runBench } from './run-bench.ts'
import { makeScratch } from './scratch.ts'

const VOID = 1

await runCommand('bench', async (args) => {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  const report = await runBench(options, makeScratch('bench'), findCores(), (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : printed(report)}\n`)
  return report.valid ? 0 : VOID
})
