import { builtOnce } from '../../proving/shared/built-once.ts'
import { runCommand } from '../../proving/shared/command.ts'
import { type CheckReport, printed } from '../../proving/shared/report.ts'
import { readWorldOptions, USAGE, type WorldOptions } from './options.ts'
import { whatIsMissing } from './pieces/tools.ts'

const BROKEN_PROMISE = 3
const MISSING = 2

const log = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Runs one scenario after another; each is printed when it is done, because all of them take a while. */
const run = async ({ scenarios, fromSource, json, ...context }: WorldOptions): Promise<readonly CheckReport[]> => {
  const product = builtOnce(log)
  const program = () => (fromSource ? undefined : product())
  const reports: CheckReport[] = []
  for (const scenario of scenarios) {
    const why = scenario.whyNot?.()
    if (why !== undefined) {
      log(`${scenario.name}: not run. ${why}`)
      continue
    }
    const found = await scenario.run({ ...context, program, log })
    reports.push(...found)
    if (!json) process.stdout.write(`${printed(found, 'check:world')}\n\n`)
  }
  return reports
}

await runCommand('check:world', async (args) => {
  const options = readWorldOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  const wanted = options.scenarios.filter(({ whyNot }) => whyNot?.() === undefined)
  const missing = whatIsMissing(wanted.flatMap(({ tools }) => tools))
  for (const line of missing) log(line)
  if (missing.length > 0) return MISSING
  log(`seed ${options.seed}`)
  const reports = await run(options)
  if (options.json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`)
  return reports.some(({ findings }) => findings.length > 0) ? BROKEN_PROMISE : 0
})
