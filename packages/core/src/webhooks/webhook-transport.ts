/** What is sent to a target: one event. */
export interface WebhookMessage {
  readonly url: string
  /** The same for every try; what a receiver knows a repetition by. Visible ASCII without a dot. */
  readonly id: string
  /** A CloudEvent as JSON. */
  readonly body: string
  /** What it is signed with, as `whsec_` and base64; by each of them. */
  readonly secrets: readonly string[]
  /** What is sent as `traceparent` (W3C Trace Context), if there is one. */
  readonly traceContext?: string | undefined
}

/** What a target said: its status (HTTP), and the beginning of what came with it. */
export interface TargetAnswer {
  readonly status: number
  readonly head?: string | undefined
}

// Kept beside an error, and not in it: logs show all that an error has.
const ANSWERS = new WeakMap<object, TargetAnswer>()

/** What the target said to what it did not take, if it said anything. */
export const answerOf = (error: unknown): TargetAnswer | undefined =>
  typeof error === 'object' && error !== null ? ANSWERS.get(error) : undefined

/** The same error, which has the answer of the target with it. */
export const withAnswer = <Failure extends Error>(error: Failure, answer: TargetAnswer): Failure => {
  ANSWERS.set(error, answer)
  return error
}

/** The target says that it is gone and wants nothing any more (HTTP 410). */
export class WebhookGone extends Error {
  override readonly name = 'WebhookGone'
}

interface Refusal {
  readonly status?: number | undefined
  readonly retryAfter?: number | undefined
}

/** The target did not take the message, for now; it may say for how long. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  /** Of the answer (HTTP), if there was one. */
  readonly status: number | undefined
  /** Milliseconds until it wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor(message: string, options: ErrorOptions & Refusal = {}) {
    super(message, options)
    this.status = options.status
    this.retryAfter = options.retryAfter
  }
}

/** Signs messages and hands them over. */
export interface WebhookTransport {
  /** How many messages it can usefully send to one target at once. */
  readonly concurrency: number
  /** Why nothing would ever be sent to such a URL, as far as the URL itself shows, and what to do. */
  problemWith(url: string): string | undefined
  /**
   * Resolves once the target has taken the message (HTTP 2xx). Within a bounded time, and never to an address that it
   * must not reach, whatever the name of the host stands for at that moment. Errors hold nothing that the target said:
   * that is had by `answerOf`. Undefined if the way has no answers.
   * @throws {WebhookGone} it wants nothing any more; anything else that it throws is worth another try, and an error with
   *   the name `AbortError`, once this is closed, says nothing of the target
   */
  send(message: WebhookMessage): Promise<TargetAnswer | undefined>
  /** Aborts requests in flight, and sends nothing more. Idempotent. */
  close(): Promise<void>
}
