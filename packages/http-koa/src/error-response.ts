import {
  DomainError,
  type DomainErrorName,
  InsufficientPermissions,
  InvalidInput,
  Unauthenticated,
} from '@rollcall/core'
import { HttpError, type HttpErrorName } from './http-error.ts'

export type ErrorName = DomainErrorName | HttpErrorName

/** The status of every error; a missing one does not compile. */
export const STATUS = {
  MalformedRequest: 400,
  Unauthenticated: 401,
  InsufficientPermissions: 403,
  FeedNotFound: 404,
  LinkNotValid: 404,
  NotFound: 404,
  ReceiptNotFound: 404,
  SubscriptionNotFound: 404,
  SuppressionNotFound: 404,
  UserNotFound: 404,
  WebhookNotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  AddressSuppressed: 409,
  EmailTaken: 409,
  FeedInUse: 409,
  KeysNotRotatable: 409,
  LastAdministrator: 409,
  OwnTokensOff: 409,
  SubscriptionEnded: 409,
  UserDeleted: 410,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  ExpectationFailed: 417,
  InvalidInput: 422,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalError: 500,
  Unavailable: 503,
} as const satisfies Record<ErrorName, number>

/** Seconds after which storage, or another instance, may be available again. */
export const RETRY_AFTER = '5'

/** What a client gets to know of an error. */
export interface ErrorResponse {
  readonly name: ErrorName
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly message: string
}

/** Describes an expected error as it is; of an unexpected one, gives only the id that finds it in the log. */
export const errorResponseTo = (error: unknown, requestId: string): ErrorResponse =>
  error instanceof InsufficientPermissions ? cachedResponseTo(error) : responseTo(error, requestId)

// The policy throws the same error object again and again, so its response can be reused.
const responses = new WeakMap<InsufficientPermissions, ErrorResponse>()

const cachedResponseTo = (error: InsufficientPermissions): ErrorResponse => {
  const known = responses.get(error)
  if (known !== undefined) return known
  const response = responseTo(error, '')
  responses.set(error, response)
  return response
}

const responseTo = (error: unknown, requestId: string): ErrorResponse => {
  if (error instanceof DomainError || error instanceof HttpError) {
    const { name, message } = error
    const details = error instanceof InvalidInput ? error.details : undefined
    return { name, status: STATUS[name], headers: headersOf(error), message, body: bodyOf(name, message, details) }
  }
  const name = 'InternalError'
  const message = 'Something went wrong on our side. Try again later; if it persists, report the request_id.'
  const body = JSON.stringify({ error: name, message, request_id: requestId })
  return { name, status: STATUS[name], headers: {}, message, body }
}

const bodyOf = (error: ErrorName, message: string, details: InvalidInput['details'] | undefined): string =>
  JSON.stringify(details === undefined ? { error, message } : { error, message, details })

const CHALLENGE = 'Bearer realm="rollcall"'
// RFC 6750 section 3: no quotation mark, no backslash, nothing but ASCII.
const NOT_IN_DESCRIPTION = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g

const NONE = {}

const headersOf = (error: DomainError | HttpError): Readonly<Record<string, string>> => {
  if (error instanceof HttpError) return error.headers
  if (error instanceof Unauthenticated) {
    const description = error.message.replace(NOT_IN_DESCRIPTION, '')
    const problem = error.tokenRefused ? `, error="invalid_token", error_description="${description}"` : ''
    return { 'WWW-Authenticate': CHALLENGE + problem }
  }
  return error.name === 'Unavailable' ? { 'Retry-After': RETRY_AFTER } : NONE
}
