import {
  DomainError,
  type DomainErrorName,
  FeedInUse,
  FieldInUse,
  InvalidInput,
  OUTCOMES,
  Unauthenticated,
  Unavailable,
} from '@rollcall/core'
import { STATUS_OF_KIND } from '@rollcall/platform-node'

/** The errors of HTTP itself, beyond those of the domain. */
const OF_HTTP = {
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  ExpectationFailed: 417,
  TooManyRequests: 429,
  HeadersTooLarge: 431,
  InternalError: 500,
} as const

type HttpErrorName = keyof typeof OF_HTTP
export type ErrorName = DomainErrorName | HttpErrorName

const statuses: readonly (readonly [string, number])[] = [
  ...Object.entries(OUTCOMES).map(([name, kind]) => [name, STATUS_OF_KIND[kind]] as const),
  ...Object.entries(OF_HTTP),
]

/** The status of every error, in their order. */
export const STATUS = Object.fromEntries(
  statuses.toSorted(([one, status], [other, another]) => status - another || (one < other ? -1 : 1)),
) as Readonly<Record<ErrorName, number>>

/** An error that only exists over HTTP; `message` is for a person and says what to do. */
export class HttpError extends Error {
  override readonly name: HttpErrorName
  readonly headers: Readonly<Record<string, string>>

  constructor(name: HttpErrorName, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = name
    this.headers = headers
  }
}

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
export const errorResponseTo = (error: unknown, requestId: string): ErrorResponse => {
  if (error instanceof DomainError || error instanceof HttpError) {
    const { name } = error
    const message = messageOf(error)
    const details = error instanceof InvalidInput ? error.details : undefined
    const body = JSON.stringify({ error: name, message, details })
    return { name, status: STATUS[name], headers: headersOf(error), message, body }
  }
  const name = 'InternalError'
  const message = 'Something went wrong on our side. Try again later; if it persists, report the request_id.'
  const body = JSON.stringify({ error: name, message, request_id: requestId })
  return { name, status: STATUS[name], headers: {}, message, body }
}

/** By which parameter of the query the same request does what is refused without it. */
const ERASING = { FeedInUse: 'subscriptions=erase', FieldInUse: 'fields=erase' } as const

const messageOf = (error: DomainError | HttpError): string =>
  (error instanceof FeedInUse || error instanceof FieldInUse) && error.erasable
    ? `${error.message} The query '${ERASING[error.name]}' has them erased.`
    : error.message

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
  return error instanceof Unavailable ? { 'Retry-After': retryAfterOf(error) } : NONE
}

const SECOND = 1_000

// In whole seconds, at least one: after 0 a client would be too early.
const retryAfterOf = ({ retryAfter }: Unavailable): string =>
  retryAfter === undefined ? RETRY_AFTER : String(Math.max(1, Math.ceil(retryAfter / SECOND)))
