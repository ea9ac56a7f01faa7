import { inspect } from 'node:util'
import { builtOnce } from '../../proving/shared/built-once.ts'
import { runCommand } from '../../proving/shared/command.ts'
import { somePostgres } from '../../proving/shared/postgres-store.ts'
import { fromSource } from '../../proving/shared/service.ts'
import type { Attack, AttackContext } from './attack.ts'
import { ATTACKS } from './attacks.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { type AttackReport, isRepelled, printed } from './report.ts'

const runAttacks = async (options: Options, log: (line: string) => void): Promise<readonly AttackReport[]> => {
  const reports: AttackReport[] = []
  const product = options.fromSource ? fromSource : builtOnce(log)
  for (const store of options.stores) {
    const wanted = Object.values(ATTACKS).filter(
      ({ name, stores }) => stores.includes(store) && (options.only.length === 0 || options.only.includes(name)),
    )
    if (wanted.length === 0) continue
    const postgres = store === 'postgres' ? await somePostgres() : undefined
    const context = { store, server: postgres?.url, product: () => product(), samples: options.samples, log }
    try {
      for (const attack of wanted) {
        log(`${attack.name}, ${store}`)
        reports.push(await reported(attack, context))
      }
    } finally {
      await postgres?.stop()
    }
  }
  return reports
}

const reported = async (attack: Attack, context: AttackContext): Promise<AttackReport> => {
  const report = { attack: attack.name, store: context.store }
  try {
    return { ...report, figures: await attack.run(context) }
  } catch (error) {
    // The others may still show something.
    return { ...report, figures: [], failure: inspect(error) }
  }
}

const PASSED = 3

await runCommand('check:attacks', async (args) => {
  const options = readOptions(args)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return 0
  }
  const reports = await runAttacks(options, (line) => process.stderr.write(`${line}\n`))
  process.stdout.write(`${options.json ? JSON.stringify(reports, null, 2) : printed(reports)}\n`)
  return reports.length > 0 && reports.every(isRepelled) ? 0 : PASSED
})
