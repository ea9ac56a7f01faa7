import { randomUUID } from 'node:crypto'
import { DomainError } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import { connectionTrouble, notReachable } from './connection-trouble.ts'
import { lostPiece } from './lost-piece.ts'
import { Patience, type PatienceOptions, type Trouble } from './patience.ts'
import { type RemoteAnswer, refusalIn, requireOurs, wholeAnswer } from './remote-answer.ts'
import { isRepeatable, queryText, type RemoteRequest } from './remote-request.ts'
import { retryAfter, serverTime } from './retry-after.ts'
import { stillBusy } from './still-busy.ts'
import { Turns } from './turns.ts'

export interface RemoteServerOptions extends PatienceOptions {
  /** As `serverAddress` gives it. */
  readonly server: string
  readonly token: string
  readonly version: string
}

/** What became of one try. */
type Attempt<T> =
  | { readonly taken: T }
  | { readonly refusal: DomainError }
  /** Worth another; `error` is what to say once there is none left. */
  | { readonly why: string; readonly after: number | undefined; readonly lost: boolean; readonly error: unknown }

const AT_ONCE = 16
/** Milliseconds for one answer, whole. */
const ANSWER_TIMEOUT = 120_000
const BUSY = new Set([429, 503])
// What stands before the server does not know what became of the request.
const GATEWAY = new Set([502, 504])

/** A Rollcall server, asked with an access token that goes to nobody else. */
export class RemoteServer {
  readonly #server: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #patience: Patience
  readonly #interruption: AbortSignal
  readonly #turns = new Turns(AT_ONCE)
  #hasAnswered = false

  constructor({ server, token, version, ...patience }: RemoteServerOptions) {
    this.#server = server
    this.#headers = { Authorization: `Bearer ${token}`, 'User-Agent': `rollcall/${version}` }
    this.#patience = new Patience(patience)
    this.#interruption = patience.signal
  }

  /**
   * Asks until there is an answer: again while the server is busy, and where the connection was lost if that cannot do
   * anything twice.
   * @throws {DomainError} the server refuses, as it would here
   * @throws {CliError} it cannot be reached, or stays busy, or is no Rollcall; or Ctrl-C was pressed while waiting
   */
  async ask(request: RemoteRequest): Promise<RemoteAnswer> {
    return await this.#insist(request, wholeAnswer, ANSWER_TIMEOUT)
  }

  /** The same for an answer of any length, piece by piece. Once it has begun, nothing is asked again. */
  async open(request: RemoteRequest): Promise<AsyncIterable<Uint8Array>> {
    return await this.#insist(request, async ({ body }) => this.#piecesOf(body))
  }

  async #insist<T>(request: RemoteRequest, take: (response: Response) => Promise<T>, timeout?: number): Promise<T> {
    const named = { requestId: randomUUID(), ...request }
    let trouble: Trouble | undefined
    let lost = false
    for (;;) {
      await this.#patience.pause()
      const attempt = await this.#turns.take(() => this.#attempt(named, take, timeout))
      if ('taken' in attempt) return attempt.taken
      if ('refusal' in attempt) {
        if (lost && (await request.doneBefore?.(attempt.refusal))) return await take(new Response(null, DONE))
        throw attempt.refusal
      }
      lost ||= attempt.lost
      trouble = await this.#patience.further(attempt.why, attempt.after, trouble)
      if (trouble === undefined) throw attempt.error
    }
  }

  async #attempt<T>(
    request: RemoteRequest,
    take: (response: Response) => Promise<T>,
    timeout: number | undefined,
  ): Promise<Attempt<T>> {
    // Not `AbortSignal.timeout`, which outlives the answer: of many quick ones, thousands would be waiting.
    const deadline = new AbortController()
    const tooLate = (): void => deadline.abort(new DOMException('The answer took too long.', 'TimeoutError'))
    const timer = timeout === undefined ? undefined : setTimeout(tooLate, timeout)
    // What changes something is waited for: whoever stops it wants to know what became of it.
    const stop = (): void => (request.method === 'GET' ? deadline.abort(interrupted('Interrupted.')) : undefined)
    this.#interruption.addEventListener('abort', stop)
    try {
      const response = await this.#send(request, deadline.signal)
      this.#hasAnswered = true
      if (!response.ok) return await this.#refused(request, response)
      requireOurs(response)
      return { taken: await take(response) }
    } catch (error) {
      const trouble = connectionTrouble(error)
      if (trouble === undefined) throw error
      const unreachable = notReachable(this.#server, trouble, error)
      const again = trouble.lost ? isRepeatable(request) : trouble.passing && this.#hasAnswered && !request.file
      if (!again) throw unreachable
      const why = `The connection to ${this.#server} was lost.`
      return { why, after: undefined, lost: trouble.lost, error: unreachable }
    } finally {
      clearTimeout(timer)
      this.#interruption.removeEventListener('abort', stop)
    }
  }

  async #refused(request: RemoteRequest, response: Response): Promise<Attempt<never>> {
    const { status, headers } = response
    const error = await refusalIn(this.#server, response).catch((unreadable: unknown) => unreadable)
    if (BUSY.has(status) && request.file === undefined) {
      const after = retryAfter(headers.get('Retry-After'), serverTime(headers.get('Date')))
      return { why: `The server is busy (${status}).`, after, lost: false, error: stillBusy(status, after) ?? error }
    }
    if (GATEWAY.has(status) && isRepeatable(request))
      return { why: `What stands before the server got no answer (${status}).`, after: undefined, lost: true, error }
    if (error instanceof DomainError) return { refusal: error }
    throw error
  }

  async #send(request: RemoteRequest, signal: AbortSignal): Promise<Response> {
    const { method, path, query, json, file, ifMatch, requestId } = request
    const type = json === undefined ? file?.type : 'application/json'
    return await fetch(`${this.#server}${path}${queryText(query)}`, {
      method,
      redirect: 'manual',
      signal,
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

  async *#piecesOf(body: Response['body']): AsyncGenerator<Uint8Array> {
    try {
      yield* body ?? []
    } catch (error) {
      throw lostPiece(this.#server, error)
    }
  }
}

const DONE = { status: 204 }
