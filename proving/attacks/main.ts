import { judge, log, runCheck, SOURCE, STORE } from '../shared/check.ts'
import { type Report, reported } from '../shared/report.ts'
import { ATTACKS } from './attacks.ts'

/** With fewer, chance alone tells everything apart. */
const LEAST_SAMPLES = 400

await runCheck({
  name: 'check:attacks',
  about: 'Attacks the service from outside, as strangers, owners of tokens and users of the machine could.',
  options: { samples: ['2,000', 'addresses of each state that are watched, 400 at least'], ...STORE, ...SOURCE },
  parts: ATTACKS,
  run: async (given) => {
    const { parts } = given
    const samples = given.number('samples', LEAST_SAMPLES)
    const reports: Report[] = []
    await given.onStores(async (store, server) => {
      for (const attack of parts.filter(({ stores }) => stores.includes(store))) {
        log(`${attack.name}, ${store}`)
        reports.push(await reported(attack.name, store, () => attack.run({ program: given.program, samples, server })))
      }
    })
    return judge(reports)
  },
})
