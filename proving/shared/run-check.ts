import { type ParseArgsConfig, parseArgs } from 'node:util'
import { builtOnce } from './built-once.ts'
import { runCommand, understood, whole } from './command.ts'
import { type CheckReport, printed } from './report.ts'
import { fromSource, type Program } from './service.ts'

const BROKEN_PROMISE = 3

const COMMON_USAGE = `
  --seed <n>         the seed of all random decisions (default: a new one, which is printed)
  --source           the source, instead of the packed product
  --json             print the results as JSON
  --help             print this help

Exits with 3 if a promise was broken; every finding is printed with the arguments that repeat it. See docs/reliability.md.
`

const COMMON = {
  seed: { type: 'string' },
  source: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

/** What a check is told. */
interface Given<Name extends string> {
  /** The value of an option. */
  text(name: Name): string
  /** @throws {UsageError} it is not a whole number */
  number(name: Name): number
  readonly seed: number
  readonly program: Program
  /** The arguments that repeat the run, after these. */
  replay(args: string): string
}

interface Check<Name extends string> {
  /** In `npm run`. */
  readonly name: string
  readonly usage: string
  /** The options that take a value, with their defaults. */
  readonly options: Readonly<Record<Name, string>>
  readonly run: (given: Given<Name>) => Promise<readonly CheckReport[]>
}

/** A line about the progress. */
export const log = (line: string): void => void process.stderr.write(`${line}\n`)

/** Runs a check as a command of this process. */
export const runCheck = <Name extends string>({ name, usage, options, run }: Check<Name>): Promise<void> =>
  runCommand(name, async (args) => {
    const own = Object.keys(options).map((option) => [option, { type: 'string' }] as const)
    const values = understood(() => parseArgs({ args: [...args], options: { ...Object.fromEntries(own), ...COMMON } }))
    if (values.help) {
      process.stdout.write(`${usage}${COMMON_USAGE}`)
      return 0
    }
    const text = (option: Name): string => String((values as Partial<Record<Name, unknown>>)[option] ?? options[option])
    const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole('seed', values.seed)
    log(`seed ${seed}`)
    const reports = await run({
      ...{ text, seed, number: (option) => whole(option, text(option)) },
      program: values.source ? fromSource() : builtOnce(log)(),
      replay: (repeating) => `${repeating} --seed ${seed}${values.source ? ' --source' : ''}`,
    })
    process.stdout.write(`${values.json ? JSON.stringify(reports, null, 2) : printed(reports, name)}\n`)
    return reports.some(({ findings }) => findings.length > 0) ? BROKEN_PROMISE : 0
  })
