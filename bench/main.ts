import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runCommand } from '../reliability/command.ts'
import { findCores } from './command.ts'
import { readOptions, USAGE } from './options.ts'
import { printed } from './report.ts'
import { runBench } from './run-bench.ts'

const VOID = 1

/** On the disk of the project: the system's temporary folder may be in memory. */
const makeScratch = (): string => {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(path.join(cache, 'bench-'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  return scratch
}

await runCommand('bench', async (args) => {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  const report = await runBench(options, makeScratch(), findCores(), (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : printed(report)}\n`)
  return report.valid ? 0 : VOID
})
