import { parseArgs } from 'node:util'
import { builtOnce } from '../shared/built-once.ts'
import { runCommand, storesIn, UsageError, understood, whole } from '../shared/command.ts'
import { somePostgres } from '../shared/postgres-store.ts'
import { fromSource } from '../shared/service.ts'
import { isGood, printed, type Report, reported } from '../target/rows.ts'
import { ATTACKS } from './attacks.ts'

const SAMPLES = 2_000
/** With fewer, chance alone tells everything apart. */
const LEAST_SAMPLES = 400
const NAMES = ATTACKS.map(({ name }) => name)
const PASSED = 3

const USAGE = `Usage: npm run check:attacks -- [options]

Attacks the service from outside, as strangers, owners of tokens and users of the machine could. Prints what was found and
its bound for each attack. Exits with 3 if a bound is passed. See proving/README.md.

  --only <attack>   only this attack; may be repeated (default: all)
                    ${NAMES.slice(0, 5).join(', ')},
                    ${NAMES.slice(5).join(', ')}
  --store <name>    sqlite, postgres or both (default: both); TEST_POSTGRES_URL names a server, or one is started
  --samples <n>     addresses of each state that are watched (default: ${SAMPLES.toLocaleString('en-US')})
  --source          attack the source, instead of the built product
  --json            print the results as JSON
  --help            print this help

Examples:
  npm run check:attacks
  npm run check:attacks -- --only pipelining --only negotiation
  npm run check:attacks -- --only watching --store postgres --samples 3000
  npm run check:attacks -- --only tokens --source --json
`

const OPTIONS = {
  only: { type: 'string', multiple: true, default: [] as string[] },
  store: { type: 'string', default: 'both' },
  samples: { type: 'string', default: `${SAMPLES}` },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

await runCommand('check:attacks', async (args) => {
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const values = understood(() => parseArgs({ args: [...args], options: OPTIONS }))
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const unknown = values.only.find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new UsageError(`There is no attack '${unknown}', only ${NAMES.join(', ')}.`)
  const samples = Math.max(LEAST_SAMPLES, whole('samples', values.samples))
  const product = values.source ? () => fromSource() : builtOnce(log)
  const reports: Report[] = []
  for (const store of storesIn(values.store)) {
    const wanted = ATTACKS.filter(
      ({ name, stores }) => stores.includes(store) && (values.only.length === 0 || values.only.includes(name)),
    )
    if (wanted.length === 0) continue
    const postgres = store === 'postgres' ? await somePostgres() : undefined
    for (const attack of wanted) {
      log(`${attack.name}, ${store}`)
      reports.push(await reported(attack.name, store, () => attack.run({ product, samples, server: postgres?.url })))
    }
    await postgres?.stop()
  }
  process.stdout.write(`${values.json ? JSON.stringify(reports, null, 2) : printed(reports)}\n`)
  return reports.length > 0 && reports.every(isGood) ? 0 : PASSED
})
