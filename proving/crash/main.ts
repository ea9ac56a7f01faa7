import { storesIn } from '../shared/command.ts'
import type { Finding } from '../shared/finding.ts'
import { somePostgres } from '../shared/postgres-store.ts'
import type { CheckReport, StoreName } from '../shared/report.ts'
import { log, runCheck } from '../shared/run-check.ts'
import { inMilliseconds } from '../shared/scenario.ts'
import { runManyWorkers } from './many-workers.ts'
import { runRandomKills } from './random-kills.ts'
import { runRelayFaults } from './relay-faults.ts'

const usage = `Usage: npm run check:crash -- [options]

Puts the packed product under load, kills it with kill -9, starts it again, and compares what it shows with a ledger that
its clients and its relay keep.

  --kills <n>        kills at random moments (default: 1,000)
  --relay <n>        a relay that fails in thirty ways, with so many mails each (100 are usual)
  --workers <n>      one outbox on PostgreSQL, delivered by so many instances, of which one is killed (8 are usual)
  --mails <n>        how many mails they deliver (default: 10,000)
  --store <name>     sqlite, postgres or both (default: both); TEST_POSTGRES_URL names a server, or one is started
  --rate <n>         requests a second (default: 300)`

const options = { kills: '1,000', relay: '0', workers: '0', mails: '10,000', store: 'both', rate: '300' }

await runCheck({
  ...{ name: 'check:crash', usage, options },
  run: async ({ text, number, seed, program, replay }) => {
    const [kills, relay, workers] = [number('kills'), number('relay'), number('workers')]
    const [mails, rate] = [number('mails'), Math.max(1, number('rate'))]
    const reports: CheckReport[] = []
    const check = async (store: StoreName, server?: string): Promise<void> => {
      const order = { store, server, seed, program }
      const report = (name: string, args: string, findings: readonly Finding[], rows: CheckReport['rows']) =>
        reports.push({ name, store, findings, rows, replay: replay(`${args} --store ${store}`) })
      if (kills > 0) {
        const progress = (kill: number, found: readonly Finding[]): void => {
          if (kill % 10 === 0) log(`${store}: ${kill} of ${kills} kills, ${found.length} findings`)
        }
        const { findings, figures } = await runRandomKills({ ...order, kills, rate, progress })
        const { ready, takenOverIn, seconds, ...counts } = figures
        const times = { 'ready: median, most': inMilliseconds(ready), takenOverIn: Math.round(takenOverIn) }
        report('random kills', `--kills ${kills} --rate ${rate}`, findings, [{ ...counts, ...times, seconds }])
      }
      if (relay > 0) {
        const progress = (mode: string, found: number): void => log(`${store}: ${mode}, ${found} findings`)
        const { findings, modes } = await runRelayFaults({ ...order, mails: relay, progress })
        const rows = modes.map((row) => ({ ...row }))
        report('a relay that fails', `--kills 0 --relay ${relay}`, findings, rows)
      }
      if (workers > 0 && server !== undefined) {
        const { findings, figures } = await runManyWorkers({ server, mails, workers, seed, program, log })
        const args = `--kills 0 --workers ${workers} --mails ${mails}`
        report('one outbox, many workers', args, findings, [{ workers, ...figures }])
      }
    }
    for (const store of storesIn(text('store'))) {
      const postgres = store === 'postgres' ? await somePostgres() : undefined
      try {
        await check(store, postgres?.url)
      } finally {
        await postgres?.stop()
      }
    }
    return reports
  },
})
