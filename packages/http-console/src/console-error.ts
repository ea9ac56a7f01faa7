import { DomainError, type DomainErrorName } from '@rollcall/core'

/** An error that only exists over HTTP; `message` says what to do. */
export class ConsoleError extends Error {
  override readonly name:
    | 'MisdirectedRequest'
    | 'ForeignRequest'
    | 'NotFound'
    | 'MethodNotAllowed'
    | 'PayloadTooLarge'
    | 'UnsupportedMediaType'
    | 'MalformedRequest'
  readonly headers: Readonly<Record<string, string>>

  constructor(name: ConsoleError['name'], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = name
    this.headers = headers
  }
}

const STATUS = {
  MalformedRequest: 400,
  Unauthenticated: 401,
  ForeignRequest: 403,
  InsufficientPermissions: 403,
  SignatureNotValid: 403,
  FeedNotFound: 404,
  LinkNotValid: 404,
  LogoNotFound: 404,
  NotFound: 404,
  ReceiptNotFound: 404,
  SubscriptionNotFound: 404,
  SuppressionNotFound: 404,
  TokenNotFound: 404,
  UndeliverableNotFound: 404,
  UserNotFound: 404,
  WebhookNotFound: 404,
  MethodNotAllowed: 405,
  AddressSuppressed: 409,
  EmailTaken: 409,
  FeedInUse: 409,
  FieldInUse: 409,
  KeysNotRotatable: 409,
  LastAdministrator: 409,
  OwnTokensOff: 409,
  SubscriptionEnded: 409,
  SuspensionNotKept: 409,
  UserNameTaken: 409,
  UserSuspended: 409,
  UserDeleted: 410,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
  InvalidInput: 422,
  Unavailable: 503,
} as const satisfies Record<DomainErrorName | ConsoleError['name'], number>

/** Of every outcome that is foreseen; undefined for a defect. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof DomainError || error instanceof ConsoleError ? STATUS[error.name] : undefined
