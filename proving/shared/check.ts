import { type ParseArgsConfig, parseArgs } from 'node:util'
import { somePostgres } from './postgres-store.ts'
import { isGood, printed, type Report } from './report.ts'
import { built, fromSource, type Program } from './service.ts'

const [USAGE_ERROR, BROKEN_PROMISE, INTERRUPTED] = [2, 3, 130]

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const log = (line: string): void => void process.stderr.write(`${line}\n`)

/** An option: its value if it is not given (`false`: it has none, and is on or off), and a line that says what it is. */
type Option = readonly [fallback: string | false, says: string]

const WIDTH = 16

/** Options that several checks have. */
export const SEED = { seed: ['', 'the seed of all random decisions (default: a new one, which is printed)'] } as const
export const SOURCE = { source: [false, 'the source, in place of the packed product'] } as const
export const STORE = {
  store: ['both', 'sqlite, postgres or both; TEST_POSTGRES_URL names a server, or one is started'],
} as const

/** What `--only` may name. */
interface Part {
  readonly name: string
  readonly about: string
}

interface Check<Name extends string, Some extends Part> {
  /** In `npm run`. */
  readonly name: string
  readonly about: string
  readonly options: Readonly<Record<Name, Option>>
  readonly parts?: readonly Some[]
  /** Whether everything is as it should be. */
  readonly run: (given: Given<Name, Some>) => Promise<boolean>
}

class Given<Name extends string, Some extends Part = Part> {
  readonly #check: Check<Name, Some>
  readonly #values: Readonly<Record<string, unknown>>
  #seed: number | undefined
  #program: Program | undefined

  /** @throws {UsageError} an option is not known, or used wrongly */
  constructor(check: Check<Name, Some>, args: readonly string[]) {
    const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } }
    for (const [name, [fallback]] of Object.entries<Option>(check.options))
      options[name] = { type: fallback === false ? 'boolean' : 'string' }
    if (check.parts !== undefined) options.only = { type: 'string', multiple: true }
    this.#check = check
    try {
      this.#values = parseArgs({ args: [...args], options }).values
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
      throw error
    }
  }

  /** The value of an option; empty if it has none. */
  text(name: Name): string {
    return String(this.#values[name] ?? (this.#check.options[name][0] || ''))
  }

  isOn(name: string): boolean {
    return this.#values[name] === true
  }

  /**
   * The value of an option; it may have commas between thousands.
   * @throws {UsageError} it is not a whole number, or too small
   */
  number(name: Name, least = 0): number {
    const text = this.text(name)
    const digits = text.replaceAll(',', '')
    if (/^\d{1,10}$/.test(digits) && Number(digits) >= least) return Number(digits)
    throw new UsageError(`--${name} must be a whole number of at least ${least}, not '${text}'.`)
  }

  /** Those that `--only` names, whole or by how they begin; all of them without it. @throws {UsageError} there is none */
  get parts(): readonly Some[] {
    const { parts = [] } = this.#check
    const only = (this.#values.only ?? ['']) as readonly string[]
    const unknown = only.find((start) => !parts.some(({ name }) => name.startsWith(start)))
    if (unknown !== undefined)
      throw new UsageError(`There is no '${unknown}', only ${parts.map(({ name }) => name).join(', ')}.`)
    return parts.filter(({ name }) => only.some((start) => name.startsWith(start)))
  }

  /** @throws {UsageError} it is none of the words that `--store` may have */
  get stores(): readonly ('sqlite' | 'postgres')[] {
    const text = this.text('store' as Name)
    if (text === 'both') return ['sqlite', 'postgres']
    if (text === 'sqlite' || text === 'postgres') return [text]
    throw new UsageError(`--store must be sqlite, postgres or both, not '${text}'.`)
  }

  /** Does the work on each store, with a PostgreSQL server for the one. */
  async onStores(work: (store: 'sqlite' | 'postgres', server: string | undefined) => Promise<void>): Promise<void> {
    for (const store of this.stores) {
      const postgres = store === 'postgres' ? await somePostgres() : undefined
      try {
        await work(store, postgres?.url)
      } finally {
        await postgres?.stop()
      }
    }
  }

  get seed(): number {
    if (this.#seed === undefined) {
      const given = this.text('seed' as Name) !== ''
      this.#seed = given ? this.number('seed' as Name) : Math.floor(Math.random() * 2 ** 31)
      log(`seed ${this.#seed}`)
    }
    return this.#seed
  }

  get program(): Program {
    if (this.#program === undefined) {
      const isSource = this.isOn('source')
      if (!isSource) log('building the product')
      this.#program = isSource ? fromSource() : built()
    }
    return this.#program
  }

  /** The command that repeats a run with these arguments. */
  again(args: string): string {
    const { name } = this.#check
    return `npm run ${name} -- ${args} --seed ${this.seed}${this.isOn('source') ? ' --source' : ''}`
  }
}

const helpOf = ({ name, about, options, parts = [] }: Omit<Check<string, Part>, 'run'>): string => {
  const lineOf = ([option, [fallback, says]]: [string, Option]): string => {
    const value = fallback === false ? '' : ' <x>'
    return `  --${`${option}${value}`.padEnd(WIDTH)} ${says}${!fallback || fallback === '0' ? '' : ` (default: ${fallback})`}`
  }
  const only: [string, Option][] =
    parts.length === 0 ? [] : [['only', ['', 'only this, or what begins so; may be repeated (default: all)']]]
  const longest = Math.max(...parts.map((part) => part.name.length))
  return [
    `Usage: npm run ${name} -- [options]\n\n${about}`,
    'Exits with 3 if a promise was broken. See proving/README.md.\n',
    ...[...only, ...Object.entries(options)].map(lineOf),
    ...(parts.length === 0 ? [] : ['']),
    ...parts.map((part) => `  ${part.name.padEnd(longest)}  ${part.about}`),
    '',
  ].join('\n')
}

/** Prints the reports; whether all of them are good. */
export const judge = (reports: readonly Report[]): boolean => {
  process.stdout.write(`${printed(reports)}\n`)
  return reports.length > 0 && reports.every(isGood)
}

/** Runs a check as the command of this process, and sets its exit code: 2 for wrong usage, 3 for a broken promise. */
export const runCheck = async <Name extends string, Some extends Part>(check: Check<Name, Some>): Promise<void> => {
  // Child processes are ended when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  try {
    const given = new Given(check, process.argv.slice(2))
    if (given.isOn('help')) process.stdout.write(helpOf(check))
    else if (!(await check.run(given))) process.exitCode = BROKEN_PROMISE
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`error: ${error.message} See npm run ${check.name} -- --help.\n`)
    process.exitCode = USAGE_ERROR
  }
}
