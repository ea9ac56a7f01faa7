import {
  DomainError,
  type DomainErrorName,
  FeedInUse,
  FieldInUse,
  type FieldProblem,
  InvalidInput,
  isAboutColumn,
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
  /** For a person, where the message alone says too little. */
  readonly sentence?: string
  /** Whether the message has several lines, such as a command to copy in each. */
  readonly hasLines?: boolean
  /** Where a defect came from; the operator is who will have to report it. */
  readonly trace?: readonly string[]
}

export const exitCodeOf = {
  AddressSuppressed: ExitCode.refused,
  EmailTaken: ExitCode.refused,
  FeedInUse: ExitCode.refused,
  FeedNotFound: ExitCode.refused,
  FieldInUse: ExitCode.refused,
  InsufficientPermissions: ExitCode.refused,
  InvalidInput: ExitCode.usage,
  KeysNotRotatable: ExitCode.unusable,
  LastAdministrator: ExitCode.refused,
  LinkNotValid: ExitCode.refused,
  LogoNotFound: ExitCode.refused,
  MalformedRequest: ExitCode.usage,
  OwnTokensOff: ExitCode.unusable,
  PreconditionFailed: ExitCode.refused,
  ReceiptNotFound: ExitCode.refused,
  SignatureNotValid: ExitCode.refused,
  SuspensionNotKept: ExitCode.refused,
  SubscriptionEnded: ExitCode.refused,
  SubscriptionNotFound: ExitCode.refused,
  SuppressionNotFound: ExitCode.refused,
  TokenNotFound: ExitCode.refused,
  Unauthenticated: ExitCode.refused,
  Unavailable: ExitCode.unusable,
  UndeliverableNotFound: ExitCode.refused,
  UserDeleted: ExitCode.refused,
  UserNotFound: ExitCode.refused,
  UserSuspended: ExitCode.refused,
  WebhookNotFound: ExitCode.refused,
} as const satisfies Record<DomainErrorName, ExitCode>

/** By which option the same command does what is refused without it. */
const ERASING = { FeedInUse: '--subscriptions erase', FieldInUse: '--erase-fields' } as const

const messageOf = (error: DomainError): string =>
  (error instanceof FeedInUse || error instanceof FieldInUse) && error.erasable
    ? `${error.message} The option '${ERASING[error.name]}' has them erased.`
    : error.message

export const failureOf = (thrown: unknown): Failure => {
  if (thrown instanceof CliError) return { error: thrown.name, message: thrown.message, exitCode: thrown.exitCode }
  if (thrown instanceof DomainError) {
    // What keeps the storage away for good, and what to do about it.
    if (thrown instanceof Unavailable && thrown.cause instanceof OperatorError) return failureOf(thrown.cause)
    const { name: error } = thrown
    const message = messageOf(thrown)
    const exitCode = exitCodeOf[error]
    if (thrown instanceof Unavailable && thrown.cause instanceof Error)
      return { error, message, exitCode, sentence: `${message} The reason: ${thrown.cause.message}` }
    if (!(thrown instanceof InvalidInput)) return { error, message, exitCode }
    const { details } = thrown
    // A file was refused for what is in it, and not a word of the command.
    const code = details.length > 0 && details.every(isAboutColumn) ? ExitCode.refused : exitCode
    const sentence = details.map((problem) => `'${problem.field}': ${problem.message}`).join(' ')
    return { error, message, details, sentence, exitCode: code }
  }
  if (thrown instanceof OperatorError)
    return { error: thrown.name, message: thrown.message, hasLines: true, exitCode: ExitCode.unusable }
  const text = thrown instanceof Error ? (thrown.stack ?? String(thrown)) : String(thrown)
  const [what, ...trace] = text.split('\n')
  const message = `Something unexpected went wrong: ${what}`
  return { error: 'InternalError', message, trace, exitCode: ExitCode.unexpected }
}
