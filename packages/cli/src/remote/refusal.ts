import {
  AddressSuppressed,
  type DomainError,
  type DomainErrorName,
  EmailTaken,
  FeedInUse,
  FeedNotFound,
  type FieldProblem,
  InsufficientPermissions,
  InvalidInput,
  KeysNotRotatable,
  LastAdministrator,
  LinkNotValid,
  MalformedRequest,
  OwnTokensOff,
  PreconditionFailed,
  ReceiptNotFound,
  SubscriptionEnded,
  SubscriptionNotFound,
  SuppressionNotFound,
  Unauthenticated,
  Unavailable,
  UserDeleted,
  UserNotFound,
  WebhookNotFound,
} from '@rollcall/core'
import { CliError, ExitCode } from '../cli-error.ts'
import { decode, schemas } from './schemas.ts'
import { unexpectedAnswer } from './unexpected-answer.ts'

/** What the body of an error says. */
interface Refused {
  readonly message: string
  readonly details: readonly FieldProblem[]
}

/** Every error of the domain comes back as what it was on the server; a forgotten one does not compile. */
const ERRORS: Readonly<Record<DomainErrorName, (refused: Refused) => DomainError>> = {
  AddressSuppressed: () => new AddressSuppressed(),
  EmailTaken: ({ message }) => new EmailTaken({ message }),
  FeedInUse: ({ message }) => new FeedInUse(message),
  FeedNotFound: () => new FeedNotFound(),
  InsufficientPermissions: ({ message }) => new InsufficientPermissions(message),
  InvalidInput: ({ details }) => new InvalidInput(details),
  KeysNotRotatable: ({ message }) => new KeysNotRotatable(message),
  LastAdministrator: () => new LastAdministrator(),
  LinkNotValid: () => new LinkNotValid(),
  MalformedRequest: ({ message }) => new MalformedRequest(message),
  OwnTokensOff: () => new OwnTokensOff(),
  PreconditionFailed: () => new PreconditionFailed(),
  ReceiptNotFound: () => new ReceiptNotFound(),
  SubscriptionEnded: () => new SubscriptionEnded(),
  SubscriptionNotFound: () => new SubscriptionNotFound(),
  SuppressionNotFound: () => new SuppressionNotFound(),
  Unauthenticated: ({ message }) => new Unauthenticated(message, { tokenRefused: true }),
  Unavailable: ({ message }) => new Unavailable({ unsure: message === PERHAPS_DONE }),
  UserDeleted: () => new UserDeleted(),
  UserNotFound: () => new UserNotFound(),
  WebhookNotFound: () => new WebhookNotFound(),
}

const PERHAPS_DONE = new Unavailable({ unsure: true }).message

const isDomainErrorName = (name: string): name is DomainErrorName => Object.hasOwn(ERRORS, name)

/** What only HTTP refuses, and what to end with. All others are defects of one side. */
const OF_HTTP: ReadonlyMap<string, ExitCode> = new Map([
  ['HeadersTooLarge', ExitCode.usage],
  ['PayloadTooLarge', ExitCode.usage],
  ['RequestTimeout', ExitCode.unusable],
  ['TooManyRequests', ExitCode.unusable],
])

/** The error that an error body stands for. */
export const refusalOf = (body: unknown): Error => {
  const { error: name, message, request_id: report, details = [] } = decode(schemas.refusal, body)
  if (isDomainErrorName(name)) return ERRORS[name]({ message, details })
  if (name === 'NotFound' || name === 'MethodNotAllowed') return unexpectedAnswer(`${name}: ${message}`)
  const sentence = report === undefined ? message : `${message} (request_id ${report})`
  return new CliError(`The server says: ${sentence}`, { name, exitCode: OF_HTTP.get(name) ?? ExitCode.unexpected })
}
