import { randomUUID } from 'node:crypto'
import { type Client, createClient, type OperationId, type Params } from '@rollcall/client'
import { DomainError } from '@rollcall/core'
import type * as v from 'valibot'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { connectionTrouble, IdleTimeout, lostPiece, notReachable } from './connection-trouble.ts'
import { mentioningPath } from './decode.ts'
import { type RemoteAnswer, refusalIn, requireOurs, wholeAnswer } from './remote-answer.ts'
import { type GivenParams, isRead, isRepeatable, type RemoteRequest, type RequestOptions } from './remote-request.ts'
import {
  type RetryOptions,
  RetryPolicy,
  type RetryReason,
  type RetryState,
  retryAfter,
  stillBusy,
} from './retry-policy.ts'

export interface RemoteServerOptions extends RetryOptions {
  /** As `serverAddress` gives it. */
  readonly server: string
  readonly token: string
  readonly version: string
}

/** The use cases as functions. */
export type RemoteUseCases = { readonly [Name in keyof CliUseCases]: CliUseCases[Name]['execute'] }

/** Takes an answer that has begun. */
type Take<T> = (response: Response, idle: IdleTimeout) => Promise<T>

/** What became of one try. */
type Attempt<T> =
  | { readonly taken: T }
  | { readonly refusal: DomainError }
  /** Worth another try; `error` is thrown after the last one. */
  | (RetryReason & { readonly lost: boolean; readonly error: unknown })

const AT_ONCE = 16
/** Milliseconds until an answer has to begin: a read is quick, a change may have to wait on the server. */
const READ_TIMEOUT = 30_000
const CHANGE_TIMEOUT = 60_000
/** Milliseconds for which an answer that has begun may stand still. */
const STANDSTILL = 60_000
const BUSY = new Set([429, 503])
// What stands before the server does not know what became of the request.
const GATEWAY = new Set([502, 504])

/** A Rollcall server, asked with an access token that goes to no other server. */
export class RemoteServer {
  readonly #server: string
  readonly #client: Client
  readonly #retries: RetryPolicy
  readonly #interruption: AbortSignal
  readonly #slots = new Semaphore(AT_ONCE)
  #hasAnswered = false

  constructor({ server, token, version, ...retries }: RemoteServerOptions) {
    this.#server = server
    this.#client = createClient({ url: server, token, headers: { 'User-Agent': `rollcall/${version}` } })
    this.#retries = new RetryPolicy(retries)
    this.#interruption = retries.signal
  }

  /**
   * Asks until there is an answer: again while the server is busy, and where the connection was lost if that cannot do
   * anything twice.
   * @throws {DomainError} the server refuses, as it would here
   * @throws {CliError} it cannot be reached, or stays busy, or is not a Rollcall server; or Ctrl-C was pressed while waiting
   */
  async ask<Id extends OperationId>(
    operation: Id,
    params: GivenParams<Id>,
    options?: RequestOptions,
  ): Promise<RemoteAnswer> {
    return await this.#insist({ operation, params, ...options }, wholeAnswer)
  }

  /** The same for an answer of any length, piece by piece. Once it has begun, nothing is asked again. */
  async open<Id extends OperationId>(
    operation: Id,
    params: GivenParams<Id>,
    options?: RequestOptions,
  ): Promise<AsyncIterable<Uint8Array>> {
    return await this.#insist({ operation, params, ...options }, async ({ body }, idle) =>
      this.#piecesOf(body ?? [], options?.isFile ? undefined : idle),
    )
  }

  /** What an operation that changes nothing answers. */
  async get<Id extends OperationId, const Schema extends v.GenericSchema>(
    operation: Id,
    params: GivenParams<Id>,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return (await this.ask(operation, params)).as(schema)
  }

  /** Deletes a record; `NotFound` is what the server says where there is nothing any more. */
  async delete<Id extends OperationId>(
    operation: Id,
    params: GivenParams<Id>,
    NotFound: new () => DomainError,
  ): Promise<void> {
    // After a lost answer: an earlier try may have deleted it, and that is what was asked for.
    await this.ask(operation, params, { doneBefore: (error) => error instanceof NotFound })
  }

  async #insist<T>(request: RemoteRequest, take: Take<T>): Promise<T> {
    const named = { requestId: randomUUID(), ...request }
    let state: RetryState | undefined
    let lost = false
    for (;;) {
      await this.#retries.pause()
      const attempt = await this.#slots.run(() => this.#attempt(named, take))
      if ('taken' in attempt) return attempt.taken
      if ('refusal' in attempt) {
        if (lost && (await request.doneBefore?.(attempt.refusal)))
          return await take(new Response(null, DONE), new IdleTimeout())
        throw attempt.refusal
      }
      lost ||= attempt.lost
      state = await this.#retries.further(attempt, state)
      if (state === undefined) throw attempt.error
    }
  }

  async #attempt<T>(request: RemoteRequest, take: Take<T>): Promise<Attempt<T>> {
    const began = performance.now()
    const idle = new IdleTimeout()
    // A file takes as long as it takes, and its report comes when something is to be reported.
    if (!request.isFile) idle.start(isRead(request) ? READ_TIMEOUT : CHANGE_TIMEOUT)
    // A change is waited for: its outcome matters to the person who stops it.
    const stop = (): void => (isRead(request) ? idle.abort(interrupted('Interrupted.')) : undefined)
    this.#interruption.addEventListener('abort', stop)
    try {
      const response = await this.#send(request, idle)
      this.#hasAnswered = true
      if (!response.ok) return await this.#refused(request, response, began)
      requireOurs(response)
      return { taken: await take(response, idle) }
    } catch (error) {
      const trouble = connectionTrouble(error)
      if (trouble === undefined) throw mentioningPath(error, this.#server)
      const unreachable = notReachable(this.#server, trouble, error)
      const again = trouble.lost ? isRepeatable(request) : trouble.passing && this.#hasAnswered && !request.isFile
      if (!again) throw unreachable
      const { lost, silent } = trouble
      const why = silent ? `The server ${this.#server} does not answer.` : `The connection to ${this.#server} was lost.`
      return { began, why, silentRead: silent && isRead(request), lost, error: unreachable }
    } finally {
      idle.stop()
      this.#interruption.removeEventListener('abort', stop)
    }
  }

  async #refused(request: RemoteRequest, response: Response, began: number): Promise<Attempt<never>> {
    const { status, headers } = response
    const error = await refusalIn(this.#server, response).catch((unreadable: unknown) => unreadable)
    if (BUSY.has(status) && !request.isFile) {
      const after = retryAfter(headers)
      const why = `The server is busy (${status}).`
      return { began, why, after, lost: false, error: stillBusy(status, after) ?? error }
    }
    if (GATEWAY.has(status) && isRepeatable(request))
      return { began, why: `The gateway in front of the server got no answer (${status}).`, lost: true, error }
    if (error instanceof DomainError) return { refusal: error }
    throw error
  }

  async #send({ operation, params, requestId }: RemoteRequest, idle: IdleTimeout): Promise<Response> {
    return await this.#client.send(operation, params as Params<OperationId>, {
      signal: idle.signal,
      headers: requestId === undefined ? {} : { 'X-Request-Id': requestId },
    })
  }

  /** The timeout runs only while a piece is awaited, not while one is processed here. */
  async *#piecesOf(
    pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    idle: IdleTimeout | undefined,
  ): AsyncGenerator<Uint8Array> {
    try {
      idle?.start(STANDSTILL)
      for await (const piece of pieces) {
        idle?.stop()
        yield piece
        idle?.start(STANDSTILL)
      }
      idle?.stop()
    } catch (error) {
      throw lostPiece(this.#server, error)
    }
  }
}

const DONE = { status: 204 }

/** Limits how many run at a time; the others wait, in order. */
class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
