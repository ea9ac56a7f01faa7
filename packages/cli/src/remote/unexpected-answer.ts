import { CliError } from '../cli-error.ts'
import { ExitCode } from '../exit-code.ts'

export const UNEXPECTED_ANSWER = 'UnexpectedAnswer'

/** Whoever answers is no Rollcall, or one of another version. */
export const unexpectedAnswer = (what: string): CliError =>
  new CliError(
    `This is not how a Rollcall server answers (${what}). Check the address given with --server; or the server is of another version.`,
    { name: UNEXPECTED_ANSWER, exitCode: ExitCode.unusable },
  )
