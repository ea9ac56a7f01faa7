import type { CheckReport } from '../shared/report.ts'
import { log, runCheck } from '../shared/run-check.ts'
import { inMilliseconds } from '../shared/scenario.ts'
import { runFailOver } from './run-fail-over.ts'
import { behindPooler, leaderAndStandby } from './troubles.ts'

const usage = `Usage: npm run check:fail-over -- [options]

Runs the packed product under load on PostgreSQL while the database goes away: behind a PgBouncer (needs pgbouncer), and on
a leader with a synchronous standby that takes over. Compares what it shows with a ledger that its clients and its relay
keep.

  --pooler <n>       how often the pooler, or the server behind it, goes away (default: 40)
  --leader <n>       how often a leader goes away, in each of three ways (default: 3)
  --rate <n>         requests a second (default: 200)`

await runCheck({
  ...{ name: 'check:fail-over', usage, options: { pooler: '40', leader: '3', rate: '200' } },
  run: async ({ number, seed, program, replay }) => {
    const [pooler, leaders, rate] = [number('pooler'), number('leader'), Math.max(1, number('rate'))]
    const reports: CheckReport[] = []
    const report = (name: string, args: string, { findings, results }: Awaited<ReturnType<typeof runFailOver>>) => {
      const rows = results.map(({ ready, ...row }) => ({ ...row, 'ready again: median, most': inMilliseconds(ready) }))
      reports.push({ ...{ name, store: 'postgres', findings, rows }, replay: replay(`${args} --rate ${rate}`) })
    }
    if (pooler > 0) {
      await using setting = await behindPooler()
      const progress = (done: number, findings: readonly unknown[]): void => {
        if (done % 5 === 0) log(`pooler: ${done} of ${pooler} outages, ${findings.length} findings`)
      }
      const result = await runFailOver({ setting, troubles: pooler, seed, rate, program, progress })
      report('pooler outages', `--pooler ${pooler} --leader 0`, result)
    }
    for (let n = 0; n < 3 * leaders; n++) {
      await using setting = await leaderAndStandby()
      const only = setting.troubles[n % setting.troubles.length]
      log(`leader: ${only?.name}`)
      const order = { setting, troubles: 1, only, seed: seed + n, rate, program, awaitsCopies: false }
      report('the leader changes', `--pooler 0 --leader ${leaders}`, await runFailOver(order))
    }
    return reports
  },
})
