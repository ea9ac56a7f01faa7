const USAGE_ERROR = 2
const INTERRUPTED = 130

/** Runs a command of this process and has it end with the status that comes of it: 2 where it was called wrongly. */
export const runCommand = async (name: string, run: (args: readonly string[]) => Promise<number>): Promise<void> => {
  // So that nothing outlives this process: what it started is ended when it exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(INTERRUPTED))
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`error: ${error.message} See npm run ${name} -- --help.\n`)
    process.exitCode = USAGE_ERROR
  }
}

/** What was asked for on the command line cannot be done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * What `parseArgs` made of the command line.
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
 * The value of an option; commas may part its thousands.
 * @throws {UsageError} it is no whole number
 */
export const whole = (name: string, text: string): number => {
  const digits = text.replaceAll(',', '')
  if (/^\d{1,10}$/.test(digits)) return Number(digits)
  throw new UsageError(`--${name} takes a whole number, not '${text}'.`)
}
