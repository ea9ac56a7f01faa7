import { namedPoints, randomKills } from './checks/kills.ts'
import { pooler, smtpFaults } from './checks/outages.ts'
import { powerLoss } from './checks/power-loss.ts'
import { selfTest } from './checks/self-test.ts'
import { runCommand } from './command.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { type Check, type CheckReport, printed } from './report.ts'
import { builtOnce } from './service/built-once.ts'
import { somePostgres } from './stores/postgres-store.ts'

/** Runs the requested checks on each store; checks for one store alone, once. */
const runChecks = async (options: Options, log: (line: string) => void): Promise<readonly CheckReport[]> => {
  const reports: CheckReport[] = []
  const product = builtOnce(log)
  const checks = wanted(options)
  for (const store of checks.length > 0 ? options.stores : []) {
    const postgres = store === 'postgres' ? await somePostgres() : undefined
    try {
      for (const check of checks) reports.push(await check(options, { store, server: postgres?.url, product, log }))
    } finally {
      await postgres?.stop()
    }
  }
  if (options.troubles > 0) reports.push(await pooler(options, product, log))
  if (options.states > 0) reports.push(...(await powerLoss(options, log)))
  if (options.selfTest) reports.push(await selfTest(options, log))
  return reports
}

const wanted = ({ kills, perPoint, mails }: Options): readonly Check[] => [
  ...(kills > 0 ? [randomKills] : []),
  ...(perPoint > 0 ? [namedPoints] : []),
  ...(mails > 0 ? [smtpFaults] : []),
]

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
