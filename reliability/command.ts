import { UsageError } from './usage.ts'

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
