import { RollcallError } from '@rollcall/client'
import {
  DomainError,
  type DomainErrorName,
  type FieldProblem,
  InvalidInput,
  isAboutColumn,
  OUTCOMES,
  type OutcomeKind,
  Unavailable,
} from '@rollcall/core'
import { OperatorError } from '@rollcall/platform-node'
import { CliError, ExitCode } from './cli-error.ts'

/** What is shown of an error, and the code to end with. */
export interface Failure {
  readonly error: string
  readonly message: string
  readonly details?: readonly FieldProblem[]
  readonly exitCode: number
  /** For a person, if the message alone says too little. */
  readonly sentence?: string
  /** Whether the message has several lines, such as a command to copy in each. */
  readonly hasLines?: boolean
  /** Where a defect came from; the operator is who will have to report it. */
  readonly trace?: readonly string[]
}

/** Of the kinds of outcomes that are no refusal. */
const OF_KIND: Partial<Record<OutcomeKind, ExitCode>> = {
  invalid: ExitCode.usage,
  malformed: ExitCode.usage,
  off: ExitCode.unusable,
  unavailable: ExitCode.unusable,
}

const exitCodeOf = (name: DomainErrorName): ExitCode => OF_KIND[OUTCOMES[name]] ?? ExitCode.refused

const isForeseen = (name: string): name is DomainErrorName => Object.hasOwn(OUTCOMES, name)

/** By which option the same command does what is refused without it. */
const ERASING = { FeedInUse: '--subscriptions erase', FieldInUse: '--erase-fields' } as const

/** What only HTTP refuses, and what to end with. All others are defects of one side. */
const OF_HTTP: ReadonlyMap<string, ExitCode> = new Map([
  ['HeadersTooLarge', ExitCode.usage],
  ['PayloadTooLarge', ExitCode.usage],
  ['RequestTimeout', ExitCode.unusable],
  ['TooManyRequests', ExitCode.unusable],
  ['UnexpectedAnswer', ExitCode.unusable],
])

/** The error that a refusal of the service stands for. */
const refusalOf = ({ error, message, details, requestId, status }: RollcallError): Failure => {
  if (isForeseen(error)) {
    const said = Object.hasOwn(ERASING, error) ? erasing(error as keyof typeof ERASING, message) : message
    const failure = { error, message: said, exitCode: exitCodeOf(error) }
    return details === undefined ? failure : { ...failure, ...detailed(details, failure.exitCode) }
  }
  const sentence = status === 500 ? `${message} (request_id ${requestId})` : message
  return { error, message: `The server says: ${sentence}`, exitCode: OF_HTTP.get(error) ?? ExitCode.unexpected }
}

/** With the option in place of the query that does it over HTTP. */
const erasing = (name: keyof typeof ERASING, message: string): string => {
  const [said = message] = message.split(" The query '")
  return said === message ? message : `${said} The option '${ERASING[name]}' has them erased.`
}

/** What is said field by field. A file that was refused for what is in it was not a word of the command. */
const detailed = (details: readonly FieldProblem[], exitCode: ExitCode) => ({
  details,
  sentence: details.map((problem) => `'${problem.field}': ${problem.message}`).join(' '),
  exitCode: details.length > 0 && details.every(isAboutColumn) ? ExitCode.refused : exitCode,
})

/** Whether an error refuses this one record; any other would refuse the next as well. */
export const refusesOneRow = (error: unknown): boolean => {
  const name = error instanceof RollcallError ? error.error : error instanceof DomainError ? error.name : ''
  return isForeseen(name) && !OF_ALL.has(name)
}

const OF_ALL: ReadonlySet<string> = new Set(['InsufficientPermissions', 'Unauthenticated', 'Unavailable'])

export const failureOf = (thrown: unknown): Failure => {
  if (thrown instanceof RollcallError) return refusalOf(thrown)
  if (thrown instanceof CliError) return { error: thrown.name, message: thrown.message, exitCode: thrown.exitCode }
  if (thrown instanceof DomainError) {
    // What keeps the storage away for good, and what to do about it.
    if (thrown instanceof Unavailable && thrown.cause instanceof OperatorError) return failureOf(thrown.cause)
    const { name: error, message } = thrown
    const exitCode = exitCodeOf(error)
    if (thrown instanceof Unavailable && thrown.cause instanceof Error)
      return { error, message, exitCode, sentence: `${message} The reason: ${thrown.cause.message}` }
    if (!(thrown instanceof InvalidInput)) return { error, message, exitCode }
    return { error, message, ...detailed(thrown.details, exitCode) }
  }
  if (thrown instanceof OperatorError)
    return { error: thrown.name, message: thrown.message, hasLines: true, exitCode: ExitCode.unusable }
  const text = thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown)
  const [what, ...trace] = text.split('\n')
  const message = `Something unexpected went wrong: ${what}`
  return { error: 'InternalError', message, trace, exitCode: ExitCode.unexpected }
}
