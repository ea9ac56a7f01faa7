import { CliError } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'

const SECOND = 1_000

/** What to say when nobody waits any longer for a server that has said how long it will be busy. */
export const stillBusy = (status: number, after: number | undefined): CliError | undefined =>
  after === undefined
    ? undefined
    : new CliError(
        `The server is busy, and asks to be left alone for ${Math.ceil(after / SECOND)} s. Run the command again then.`,
        { name: status === 429 ? 'TooManyRequests' : 'Unavailable', exitCode: ExitCode.unusable },
      )
