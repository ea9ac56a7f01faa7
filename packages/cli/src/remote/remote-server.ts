import { randomUUID } from 'node:crypto'
import { DomainError } from '@rollcall/core'
import type * as v from 'valibot'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { connectionTrouble, IdleTimeout, lostPiece, notReachable } from './connection-trouble.ts'
import { mentioningPath } from './decode.ts'
import { type RemoteAnswer, refusalIn, requireOurs, wholeAnswer } from './remote-answer.ts'
import { isRepeatable, type Query, queryText, type RemoteRequest } from './remote-request.ts'
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
  readonly #headers: Readonly<Record<string, string>>
  readonly #retries: RetryPolicy
  readonly #interruption: AbortSignal
  readonly #slots = new Semaphore(AT_ONCE)
  #hasAnswered = false

  constructor({ server, token, version, ...retries }: RemoteServerOptions) {
    this.#server = server
    this.#headers = { Authorization: `Bearer ${token}`, 'User-Agent': `rollcall/${version}` }
    this.#retries = new RetryPolicy(retries)
    this.#interruption = retries.signal
  }

  /**
   * Asks until there is an answer: again while the server is busy, and where the connection was lost if that cannot do
   * anything twice.
   * @throws {DomainError} the server refuses, as it would here
   * @throws {CliError} it cannot be reached, or stays busy, or is not a Rollcall server; or Ctrl-C was pressed while waiting
   */
  async ask(request: RemoteRequest): Promise<RemoteAnswer> {
    return await this.#insist(request, wholeAnswer)
  }

  /** The same for an answer of any length, piece by piece. Once it has begun, nothing is asked again. */
  async open(request: RemoteRequest): Promise<AsyncIterable<Uint8Array>> {
    return await this.#insist(request, async ({ body }, idle) =>
      this.#piecesOf(body ?? [], request.file === undefined ? idle : undefined),
    )
  }

  /** What there is at a path. */
  async get<const Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    query?: Query,
  ): Promise<v.InferOutput<Schema>> {
    return (await this.ask({ method: 'GET', path, query })).as(schema)
  }

  /** Deletes what there is at a path; `NotFound` is what the server says where there is nothing any more. */
  async delete(path: string, NotFound: new () => DomainError, query?: Query): Promise<void> {
    // After a lost answer: an earlier try may have deleted it, and that is what was asked for.
    await this.ask({ method: 'DELETE', path, query, doneBefore: (error) => error instanceof NotFound })
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
    if (request.file === undefined) idle.start(request.method === 'GET' ? READ_TIMEOUT : CHANGE_TIMEOUT)
    // A change is waited for: its outcome matters to the person who stops it.
    const stop = (): void => (request.method === 'GET' ? idle.abort(interrupted('Interrupted.')) : undefined)
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
      const again = trouble.lost ? isRepeatable(request) : trouble.passing && this.#hasAnswered && !request.file
      if (!again) throw unreachable
      const { lost, silent } = trouble
      const why = silent ? `The server ${this.#server} does not answer.` : `The connection to ${this.#server} was lost.`
      return { began, why, silentRead: silent && request.method === 'GET', lost, error: unreachable }
    } finally {
      idle.stop()
      this.#interruption.removeEventListener('abort', stop)
    }
  }

  async #refused(request: RemoteRequest, response: Response, began: number): Promise<Attempt<never>> {
    const { status, headers } = response
    const error = await refusalIn(this.#server, response).catch((unreadable: unknown) => unreadable)
    if (BUSY.has(status) && request.file === undefined) {
      const after = retryAfter(headers)
      const why = `The server is busy (${status}).`
      return { began, why, after, lost: false, error: stillBusy(status, after) ?? error }
    }
    if (GATEWAY.has(status) && isRepeatable(request))
      return { began, why: `The gateway in front of the server got no answer (${status}).`, lost: true, error }
    if (error instanceof DomainError) return { refusal: error }
    throw error
  }

  async #send(request: RemoteRequest, idle: IdleTimeout): Promise<Response> {
    const { method, path, query, json, file, ifMatch, requestId } = request
    const type = json === undefined ? file?.type : 'application/json'
    return await fetch(`${this.#server}${path}${queryText(query)}`, {
      method,
      redirect: 'manual',
      signal: idle.signal,
      headers: {
        ...this.#headers,
        ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(file === undefined ? {} : { body: ReadableStream.from(file.body), duplex: 'half' }),
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
