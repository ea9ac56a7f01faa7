import { runCommand } from '../command.ts'
import { type CheckReport, printed } from '../report.ts'
import { builtOnce } from '../service/built-once.ts'
import { readWorldOptions, USAGE, type WorldOptions } from './options.ts'
import { whatIsMissing } from './pieces/tools.ts'

const BROKEN_PROMISE = 3
const MISSING = 2

const log = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

const run = async ({ scenarios, fromSource, ...context }: WorldOptions): Promise<readonly CheckReport[]> => {
  const product = builtOnce(log)
  const program = () => (fromSource ? undefined : product())
  const reports: CheckReport[] = []
  for (const scenario of scenarios) {
    const why = scenario.whyNot?.()
    if (why === undefined) reports.push(...(await scenario.run({ ...context, program, log })))
    else log(`${scenario.name}: not run. ${why}`)
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
  process.stdout.write(`${options.json ? JSON.stringify(reports, null, 2) : printed(reports, 'check:world')}\n`)
  return reports.some(({ findings, failures = [] }) => findings.length + failures.length > 0) ? BROKEN_PROMISE : 0
})
