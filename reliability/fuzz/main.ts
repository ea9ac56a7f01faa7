import os from 'node:os'
import path from 'node:path'
import { runCommand } from '../command.ts'
import { compareStores } from './differential.ts'
import { readOptions, USAGE } from './options.ts'
import { replay } from './reduce.ts'
import { reportText } from './report.ts'
import { runFuzz } from './run-fuzz.ts'

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
