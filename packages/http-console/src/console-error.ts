import { DomainError, OUTCOMES, type OutcomeKind } from '@rollcall/core'

/** An error that only exists over HTTP; `message` says what to do. */
export class ConsoleError extends Error {
  override readonly name: keyof typeof OF_CONSOLE
  readonly headers: Readonly<Record<string, string>>

  constructor(name: ConsoleError['name'], message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = name
    this.headers = headers
  }
}

const OF_KIND = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  off: 409,
  gone: 410,
  changed: 412,
  invalid: 422,
  unavailable: 503,
} as const satisfies Record<OutcomeKind, number>

const OF_CONSOLE = {
  MalformedRequest: 400,
  ForeignRequest: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
} as const

/** Of every outcome that is foreseen; undefined for a defect. */
export const statusOf = (error: unknown): number | undefined => {
  if (error instanceof ConsoleError) return OF_CONSOLE[error.name]
  return error instanceof DomainError ? OF_KIND[OUTCOMES[error.name]] : undefined
}
