import { DomainError, OUTCOMES } from '@rollcall/core'
import { STATUS_OF_KIND } from '@rollcall/platform-node'

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
  return error instanceof DomainError ? STATUS_OF_KIND[OUTCOMES[error.name]] : undefined
}
