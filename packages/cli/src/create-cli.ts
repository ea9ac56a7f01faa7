import { CommanderError } from 'commander'
import { CliError, ExitCode, usageError } from './cli-error.ts'
import type { CliHost, CliIo } from './cli-host.ts'
import { createProgram } from './program.ts'
import { Session } from './session.ts'
import { visible, visibleJson } from './texts.ts'

/**
 * Runs one command; `argv` holds the arguments alone. Resolves with the exit code when everything that the command had
 * to say is written. Never rejects.
 */
export type Cli = (argv: readonly string[], io: CliIo) => Promise<number>

export const createCli =
  (host: CliHost): Cli =>
  async (argv, io) => {
    const session = new Session(host, io, argv.includes('--json'))
    const exitCode = await run(session, argv)
    const unwritten = await session.stdout.flush().catch((error: unknown) => error)
    if (unwritten === undefined) return await ended(session, exitCode)
    return await ended(session, await reported(session, await notWritten(unwritten)))
  }

const run = async (session: Session, argv: readonly string[]): Promise<number> => {
  try {
    const program = await createProgram(argv, session)
    await program.parseAsync(argv, { from: 'user' })
    return session.exitCode
  } catch (error) {
    // What commander throws itself is that it has shown the help or the version.
    if (!(error instanceof CommanderError)) return await reported(session, error)
    if (error.exitCode === 0) return ExitCode.done
    return session.json ? await reported(session, usageError(INCOMPLETE)) : ExitCode.usage
  }
}

const INCOMPLETE = 'This command is not complete. See `rollcall --help`.'

/** A reader of standard output alone would take a part of the answer for the whole. */
const notWritten = async (cause: unknown): Promise<CliError> => {
  const { whyUnwritable } = await import('./new-file.ts')
  const message = `Not all of the answer could be written to standard output. ${whyUnwritable(cause)}`
  return new CliError(message, { name: 'OutputNotWritten', exitCode: ExitCode.unusable, cause })
}

/** Writes the error to standard error; resolves with its exit code. */
const reported = async ({ json, stderr }: Session, thrown: unknown): Promise<number> => {
  const failure =
    thrown instanceof CliError
      ? { error: thrown.name, message: thrown.message, exitCode: thrown.exitCode }
      : (await import('./failure.ts')).failureOf(thrown)
  const { error, message, details, exitCode, sentence = message, trace } = failure
  if (json) await stderr.write(`${visibleJson({ error, message, details })}\n`)
  else await stderr.write(`error: ${visible(sentence)}\n${trace?.map((line) => `${visible(line)}\n`).join('') ?? ''}`)
  return exitCode
}

const ended = async ({ stderr }: Session, exitCode: number): Promise<number> => {
  // There is nowhere left to report that standard error cannot be written.
  await stderr.flush().catch(() => undefined)
  return exitCode
}
