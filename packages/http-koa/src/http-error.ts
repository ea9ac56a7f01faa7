/** The errors of HTTP itself, beyond those of the domain. */
export type HttpErrorName =
  | 'ExpectationFailed'
  | 'HeadersTooLarge'
  | 'InternalError'
  | 'MethodNotAllowed'
  | 'NotFound'
  | 'PayloadTooLarge'
  | 'RequestTimeout'
  | 'TooManyRequests'
  | 'UnsupportedMediaType'

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
