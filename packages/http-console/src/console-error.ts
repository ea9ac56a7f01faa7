import { DomainError } from '@rollcall/core'

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

const STATUS: Readonly<Record<string, number>> = {
  MalformedRequest: 400,
  Unauthenticated: 401,
  ForeignRequest: 403,
  InsufficientPermissions: 403,
  FeedNotFound: 404,
  NotFound: 404,
  ReceiptNotFound: 404,
  SubscriptionNotFound: 404,
  SuppressionNotFound: 404,
  TokenNotFound: 404,
  UndeliverableNotFound: 404,
  UserNotFound: 404,
  WebhookNotFound: 404,
  MethodNotAllowed: 405,
  UserDeleted: 410,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
  InvalidInput: 422,
  Unavailable: 503,
}

/** Of every outcome that is foreseen; all others are conflicts with the state of things. Undefined for a defect. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof DomainError || error instanceof ConsoleError ? (STATUS[error.name] ?? 409) : undefined
