import type { StoreName } from './report.ts'

const USAGE_ERROR = 2
const INTERRUPTED = 130

/** Runs a command and sets the exit code of this process: 2 for wrong usage. */
export const runCommand = async (name: string, run: (args: readonly string[]) => Promise<number>): Promise<void> => {
  // Child processes are ended when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`error: ${error.message} See npm run ${name} -- --help.\n`)
    process.exitCode = USAGE_ERROR
  }
}

/** The command line is not valid. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The values that `parseArgs` returns.
 * @throws {UsageError} an option is not known, or used wrongly
 */
export const understood = <Values>(parse: () => { readonly values: Values }): Values => {
  try {
    return parse().values
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

/**
 * The value of an option; it may have commas between thousands.
 * @throws {UsageError} it is not a whole number
 */
export const whole = (name: string, text: string): number => {
  const digits = text.replaceAll(',', '')
  if (/^\d{1,10}$/.test(digits)) return Number(digits)
  throw new UsageError(`--${name} must be a whole number, not '${text}'.`)
}

/** @throws {UsageError} it is none of the words that `--store` may have */
export const storesIn = (text: string): readonly StoreName[] => {
  if (text === 'both') return ['sqlite', 'postgres']
  if (text === 'sqlite' || text === 'postgres') return [text]
  throw new UsageError(`--store must be sqlite, postgres or both, not '${text}'.`)
}
