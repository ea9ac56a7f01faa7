export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** What is known of an answer that refuses. */
interface RefusalFacts<Name extends string> {
  readonly error: Name
  readonly message: string
  readonly status: number
  readonly headers: Headers
  readonly tries: number
  readonly details?: readonly FieldProblem[] | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
}

/** A request that the server refused, or whose answer is not one of Rollcall's. `error` says which refusal it is. */
export class RollcallError<Name extends string = string> extends Error {
  override readonly name = 'RollcallError'
  readonly ok = false
  /** Stable, such as `UserNotFound`; `UnexpectedAnswer` if it was not Rollcall that answered. */
  readonly error: Name
  readonly status: number
  readonly headers: Headers
  /** The fields that are not valid, and why. */
  readonly details: Name extends 'InvalidInput' ? readonly FieldProblem[] : undefined
  /** What to look for in the log of the server. */
  readonly requestId: string | undefined
  /** Seconds after which the server asks to be tried again. */
  readonly retryAfter: number | undefined
  /** How often the request was sent: an earlier one, whose answer was lost, may have done what this one was refused. */
  readonly tries: number

  constructor({ message, ...facts }: RefusalFacts<Name>) {
    super(message)
    this.error = facts.error
    this.status = facts.status
    this.headers = facts.headers
    this.details = facts.details as typeof this.details
    this.requestId = facts.requestId
    this.retryAfter = facts.retryAfter
    this.tries = facts.tries
  }
}
