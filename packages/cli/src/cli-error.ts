export const ExitCode = {
  done: 0,
  unexpected: 1,
  usage: 2,
  /** Refused, not found, or a check that failed; in bulk: some were. */
  refused: 3,
  /** The configuration or the storage. */
  unusable: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export interface CliErrorOptions extends ErrorOptions {
  readonly exitCode: ExitCode
  /** PascalCase and stable: the `error` of the error body. */
  readonly name: string
}

/** Why a command ends with another exit code than 0; `message` is for a person and says what to do. */
export class CliError extends Error {
  override readonly name: string
  readonly exitCode: ExitCode

  constructor(message: string, { exitCode, name, cause }: CliErrorOptions) {
    super(message, { cause })
    this.name = name
    this.exitCode = exitCode
  }
}

export const usageError = (message: string, options: ErrorOptions = {}): CliError =>
  new CliError(message, { ...options, name: 'UsageError', exitCode: ExitCode.usage })

/** For what was asked in the right way, and is not done or does not hold. */
export const refusedError = (name: string, message: string): CliError =>
  new CliError(message, { name, exitCode: ExitCode.refused })

export const interrupted = (message: string): CliError =>
  new CliError(message, { name: 'Interrupted', exitCode: ExitCode.interrupted })

/** For what only the machine of the service can do, when it is asked of a server. */
export const onlyHereError = (what: string, without: string): CliError =>
  usageError(`${what} is not possible over HTTP. Run it on the machine of the service, without ${without}.`)
