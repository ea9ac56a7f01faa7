import { judge, log, runCheck, SEED, SOURCE, STORE } from '../shared/check.ts'
import { broken, type Report, type Row, shown } from '../shared/report.ts'
import { runManyWorkers } from './many-workers.ts'
import { runRandomKills } from './random-kills.ts'
import { runRelayFaults } from './relay-faults.ts'

const MAILS = 10_000

await runCheck({
  name: 'check:crash',
  about: `Puts the packed product under load, kills it with kill -9, starts it again, and compares what it shows with a ledger that
its clients and its relay keep.`,
  options: {
    kills: ['1,000', 'kills at random moments'],
    relay: ['0', 'a relay that fails in thirty ways, with so many mails each (100 are usual)'],
    workers: ['0', 'one outbox on PostgreSQL, delivered by so many, of which one is killed (8 are usual)'],
    ...STORE,
    ...SEED,
    ...SOURCE,
  },
  run: async (given) => {
    const [kills, relay, workers] = [given.number('kills'), given.number('relay'), given.number('workers')]
    const reports: Report[] = []
    await given.onStores(async (store, server) => {
      const order = { server, seed: given.seed, program: given.program }
      const report = (name: string, args: string, rows: readonly Row[], findings: Parameters<typeof broken>[0]) =>
        reports.push({ name, store, rows: [...rows, broken(findings, given.again(`${args} --store ${store}`))] })
      if (kills > 0) {
        const progress = (kill: number, found: readonly unknown[]): void => {
          if (kill % 10 === 0) log(`${store}: ${kill} of ${kills} kills, ${found.length} findings`)
        }
        const { findings, figures } = await runRandomKills({ ...order, kills, progress })
        report('random kills', `--kills ${kills}`, shown(figures), findings)
      }
      if (relay > 0) {
        const progress = (mode: string, found: number): void => log(`${store}: ${mode}, ${found} findings`)
        const { findings, modes } = await runRelayFaults({ ...order, mails: relay, progress })
        const rows = modes.flatMap(({ mode, ...counts }) =>
          shown(counts)
            .filter(({ found }) => found > 0)
            .map((row) => ({ ...row, figure: `${mode}: ${row.figure}` })),
        )
        report('a relay that fails', `--kills 0 --relay ${relay}`, rows, findings)
      }
      if (workers > 0 && server !== undefined) {
        const { findings, figures } = await runManyWorkers({ ...order, server, mails: MAILS, workers, log })
        report('one outbox, many workers', `--kills 0 --workers ${workers}`, shown(figures), findings)
      }
    })
    return judge(reports)
  },
})
