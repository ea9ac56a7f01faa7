import { CliError, ExitCode } from '@rollcall/cli'

// What the adapters and this package throw when a person must put something right before anything can run.
const NOT_USABLE: ReadonlySet<string> = new Set([
  'KeysNotUsable',
  'MailSettingsNotUsable',
  'PagesNotUsable',
  'ServingElsewhere',
  'StartupError',
  'StorageNotUsable',
])

/** Runs the work; what is not usable is told to the operator in one sentence, with exit code 4. */
export const told = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && NOT_USABLE.has(error.name))) throw error
    throw new CliError(error.message, { name: error.name, exitCode: ExitCode.unusable, cause: error })
  }
}
