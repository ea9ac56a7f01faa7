/** What HTTP itself foresees beyond the domain's errors. */
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

/** A refusal that only makes sense over HTTP; `message` is for a person and says what to do. */
export class HttpError extends Error {
  override readonly name: HttpErrorName
  readonly headers: Readonly<Record<string, string>>

  constructor(name: HttpErrorName, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = name
    this.headers = headers
  }
}
