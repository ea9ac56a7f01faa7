import { judge, log, runCheck, SEED, SOURCE, UsageError } from '../shared/check.ts'
import { type Report, reported } from '../shared/report.ts'
import { SCENARIOS } from './scenarios.ts'
import { whatIsMissing } from './tools.ts'

await runCheck({
  name: 'check:world',
  about: `Runs the service under load beside what others made: poolers, balancers, a database that fails over, and caches. Compares
what it shows with a ledger that its clients and its relay keep. Everything runs in a temporary folder and is gone at the
end. TEST_POSTGRES_URL names a server to use where none is stopped or lost; PGBOUNCER_NEW a PgBouncer 1.21 or later.`,
  options: {
    times: ['1', 'how often each trouble happens: a kill, an outage, the loss of a primary'],
    ...SEED,
    ...SOURCE,
  },
  parts: SCENARIOS,
  run: async (given) => {
    const { parts } = given
    const times = given.number('times', 1)
    const missing = whatIsMissing(parts.flatMap(({ tools }) => tools))
    if (missing.length > 0) throw new UsageError(`${missing.join('\n')}.`)
    const { seed, program } = given
    const reports: Report[] = []
    for (const { name, run } of parts) {
      log(name)
      reports.push(await reported(name, 'postgres', () => run({ program, seed, times, log })))
    }
    return judge(reports)
  },
})
