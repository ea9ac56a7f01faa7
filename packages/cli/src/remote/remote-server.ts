import { randomUUID } from 'node:crypto'
import { DomainError } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import { connectionTrouble, notReachable } from './connection-trouble.ts'
import { lostPiece } from './lost-piece.ts'
import { mentioningPath } from './mentioning-path.ts'
import { Patience, type PatienceOptions, type Setback, type Trouble } from './patience.ts'
import { type RemoteAnswer, refusalIn, requireOurs, wholeAnswer } from './remote-answer.ts'
import { isRepeatable, queryText, type RemoteRequest } from './remote-request.ts'
import { retryAfter } from './retry-after.ts'
import { Silence } from './silence.ts'
import { stillBusy } from './still-busy.ts'
import { Turns } from './turns.ts'

export interface RemoteServerOptions extends PatienceOptions {
  /** As `serverAddress` gives it. */
  readonly server: string
  readonly token: string
  readonly version: string
}

/** Takes an answer that has begun. */
type Take<T> = (response: Response, silence: Silence) => Promise<T>

/** What became of one try. */
type Attempt<T> =
  | { readonly taken: T }
  | { readonly refusal: DomainError }
  /** Worth another; `error` is what to say once there is none left. */
  | (Setback & { readonly lost: boolean; readonly error: unknown })

const AT_ONCE = 16
/** Milliseconds until an answer is there: nobody waits for a read for long, and a change may wait for its turn. */
const READ_TIMEOUT = 30_000
const CHANGE_TIMEOUT = 60_000
/** Milliseconds for which an answer that has begun may stand still. */
const STANDSTILL = 60_000
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
    return await this.#insist(request, (response) => wholeAnswer(response))
  }

  /** The same for an answer of any length, piece by piece. Once it has begun, nothing is asked again. */
  async open(request: RemoteRequest): Promise<AsyncIterable<Uint8Array>> {
    return await this.#insist(request, async ({ body }, silence) =>
      this.#piecesOf(request.file === undefined ? heard(body ?? [], silence) : (body ?? [])),
    )
  }

  async #insist<T>(request: RemoteRequest, take: Take<T>): Promise<T> {
    const named = { requestId: randomUUID(), ...request }
    let trouble: Trouble | undefined
    let lost = false
    for (;;) {
      await this.#patience.pause()
      const attempt = await this.#turns.take(() => this.#attempt(named, take))
      if ('taken' in attempt) return attempt.taken
      if ('refusal' in attempt) {
        if (lost && (await request.doneBefore?.(attempt.refusal)))
          return await take(new Response(null, DONE), new Silence())
        throw attempt.refusal
      }
      lost ||= attempt.lost
      trouble = await this.#patience.further(attempt, trouble)
      if (trouble === undefined) throw attempt.error
    }
  }

  async #attempt<T>(request: RemoteRequest, take: Take<T>): Promise<Attempt<T>> {
    const began = performance.now()
    const silence = new Silence()
    // A file takes as long as it takes, and its report comes when something is to be reported.
    if (request.file === undefined) silence.allow(request.method === 'GET' ? READ_TIMEOUT : CHANGE_TIMEOUT)
    // What changes something is waited for: whoever stops it wants to know what became of it.
    const stop = (): void => (request.method === 'GET' ? silence.end(interrupted('Interrupted.')) : undefined)
    this.#interruption.addEventListener('abort', stop)
    try {
      const response = await this.#send(request, silence)
      this.#hasAnswered = true
      if (!response.ok) return await this.#refused(request, response, began)
      requireOurs(response)
      return { taken: await take(response, silence) }
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
      silence.over()
      this.#interruption.removeEventListener('abort', stop)
    }
  }

  async #refused(request: RemoteRequest, response: Response, began: number): Promise<Attempt<never>> {
    const { status, headers } = response
    const error = await refusalIn(this.#server, response).catch((unreadable: unknown) => unreadable)
    if (BUSY.has(status) && request.file === undefined) {
      const after = retryAfter(headers)
      return {
        began,
        why: `The server is busy (${status}).`,
        after,
        lost: false,
        error: stillBusy(status, after) ?? error,
      }
    }
    if (GATEWAY.has(status) && isRepeatable(request))
      return { began, why: `What stands before the server got no answer (${status}).`, lost: true, error }
    if (error instanceof DomainError) return { refusal: error }
    throw error
  }

  async #send(request: RemoteRequest, silence: Silence): Promise<Response> {
    const { method, path, query, json, file, ifMatch, requestId } = request
    const type = json === undefined ? file?.type : 'application/json'
    return await fetch(`${this.#server}${path}${queryText(query)}`, {
      method,
      redirect: 'manual',
      signal: silence.signal,
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

  async *#piecesOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* pieces
    } catch (error) {
      throw lostPiece(this.#server, error)
    }
  }
}

/** Only while a piece is waited for: how long one is worked on is no matter of the other side. */
async function* heard(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  silence: Silence,
): AsyncGenerator<Uint8Array> {
  silence.allow(STANDSTILL)
  for await (const piece of pieces) {
    silence.over()
    yield piece
    silence.allow(STANDSTILL)
  }
  silence.over()
}

const DONE = { status: 204 }
