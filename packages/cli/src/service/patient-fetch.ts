import { randomUUID } from 'node:crypto'
import type { ClientOptions } from '@rollcall/client'
import { type CliError, interrupted } from '../cli-error.ts'
import { connectionTrouble, IdleTimeout, lostPiece, notReachable } from './connection-trouble.ts'
import {
  type RetryOptions,
  RetryPolicy,
  type RetryReason,
  type RetryState,
  retryAfter,
  stillBusy,
} from './retry-policy.ts'
import { serverError, unexpectedAnswer } from './server-error.ts'

export type Fetch = NonNullable<ClientOptions['fetch']>

interface Request {
  readonly url: string
  readonly init: RequestInit
  /** It changes nothing. */
  readonly isRead: boolean
  /** It may be sent again without doing it twice (RFC 9110 section 9.2.2). */
  readonly isRepeatable: boolean
  /** Its body is sent while it is read. */
  readonly isFile: boolean
}

type Attempt = { readonly response: Response } | (RetryReason & { readonly lost: boolean; readonly error: unknown })

/** Milliseconds until an answer has to begin: a read is quick, a change may have to wait on the server. */
const READ_TIMEOUT = 30_000
const CHANGE_TIMEOUT = 60_000
/** Milliseconds for which an answer that has begun may stand still. */
const STANDSTILL = 60_000
// Far more than a page of any list.
const LARGEST = 16 * 1024 * 1024
const BUSY = new Set([429, 503])
// What stands before the server does not know what became of the request.
const GATEWAY = new Set([502, 504])

/**
 * A `fetch` from the server at this address that asks until there is an answer: again while the server is busy, and if
 * the connection was lost and that cannot do anything twice. It rejects with a `CliError`: the server cannot be reached,
 * stays busy, or is not a Rollcall server; or Ctrl-C was pressed while waiting.
 */
export const patientFetch = (server: string, options: RetryOptions): Fetch => {
  const asking = new Asking(server, options)
  return async (url, init = {}) => {
    const { method = 'GET', body } = init
    const headers = new Headers(init.headers)
    // By it a request is known again that is sent twice. Who names it, as the client does what is idempotent, takes care of
    // what that does.
    const isNamed = headers.has('X-Request-Id')
    if (!isNamed) headers.set('X-Request-Id', randomUUID())
    const traits = {
      isRead: method === 'GET',
      // What creates would find what a try has made whose answer was lost.
      isRepeatable: (method !== 'POST' || isNamed) && headers.get('If-None-Match') !== '*',
      isFile: body instanceof ReadableStream,
    }
    return await asking.insist({ url, init: { ...init, headers }, ...traits })
  }
}

class Asking {
  readonly #server: string
  readonly #retries: RetryPolicy
  readonly #interruption: AbortSignal
  #hasAnswered = false

  constructor(server: string, options: RetryOptions) {
    this.#server = server
    this.#retries = new RetryPolicy(options)
    this.#interruption = options.signal
  }

  async insist(request: Request): Promise<Response> {
    let state: RetryState | undefined
    let lost = false
    for (;;) {
      await this.#retries.pause()
      const attempt = await this.#attempt(request)
      if ('response' in attempt) {
        const { response } = attempt
        // The try whose answer was lost may have deleted it, and that is what was asked for.
        return lost && request.init.method === 'DELETE' && response.status === 404 ? new Response(null, DONE) : response
      }
      lost ||= attempt.lost
      state = await this.#retries.further(attempt, state)
      if (state === undefined) throw attempt.error
    }
  }

  async #attempt({ url, init, isRead, isRepeatable, isFile }: Request): Promise<Attempt> {
    const began = performance.now()
    const idle = new IdleTimeout()
    // A file takes as long as it takes, and its report comes when something is to be reported.
    if (!isFile) idle.start(isRead ? READ_TIMEOUT : CHANGE_TIMEOUT)
    // A change is waited for: its outcome matters to the person who stops it.
    const stop = (): void => (isRead ? idle.abort(interrupted('Interrupted.')) : undefined)
    this.#interruption.addEventListener('abort', stop)
    try {
      const response = await fetch(url, { ...init, signal: idle.signal })
      this.#hasAnswered = true
      const { status, headers } = response
      if (BUSY.has(status) && !isFile) {
        const after = retryAfter(headers)
        const error =
          stillBusy(status, after) ?? (await this.#refusal(response).then(asError, (other: unknown) => other))
        return { began, why: `The server is busy (${status}).`, after, lost: false, error }
      }
      if (GATEWAY.has(status) && isRepeatable) {
        const why = `The gateway in front of the server got no answer (${status}).`
        return { began, why, lost: true, error: unexpectedAnswer(this.#server, described(response)) }
      }
      if (!response.ok && status !== 304) return { response: await this.#refusal(response) }
      // Every answer of a Rollcall server names its request; another server that answers everything with 200 does not.
      if (headers.get('X-Request-Id') === null) throw unexpectedAnswer(this.#server, described(response))
      return { response: await this.#taken(response, new Headers(init.headers), isFile ? undefined : idle) }
    } catch (error) {
      const trouble = connectionTrouble(error)
      if (trouble === undefined) throw error
      const unreachable = notReachable(this.#server, trouble, error)
      const again = trouble.lost ? isRepeatable : trouble.passing && this.#hasAnswered && !isFile
      if (!again) throw unreachable
      const { lost, silent } = trouble
      const why = silent ? `The server ${this.#server} does not answer.` : `The connection to ${this.#server} was lost.`
      return { began, why, silentRead: silent && isRead, lost, error: unreachable }
    } finally {
      idle.stop()
      this.#interruption.removeEventListener('abort', stop)
    }
  }

  /** An answer of any length as it comes; once it has begun, nothing is asked again. Others are taken whole. */
  async #taken(response: Response, asked: Headers, idle: IdleTimeout | undefined): Promise<Response> {
    const { status, headers, body } = response
    if (body === null) return response
    if (asked.get('Accept') === 'application/json')
      return new Response(await this.#whole(response), { status, headers })
    return new Response(ReadableStream.from(this.#piecesOf(body, idle)), { status, headers })
  }

  /** The timeout runs only while a piece is awaited, not while one is processed here. */
  async *#piecesOf(pieces: AsyncIterable<Uint8Array>, idle: IdleTimeout | undefined): AsyncGenerator<Uint8Array> {
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

  async #whole({ body }: Response): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    let size = 0
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += piece.byteLength
      if (size > LARGEST) throw unexpectedAnswer(this.#server, `more than ${LARGEST} bytes`)
      text += decoder.decode(piece, { stream: true })
    }
    return text + decoder.decode()
  }

  /** @throws {CliError} it is not one of a Rollcall server */
  async #refusal(response: Response): Promise<Response> {
    const { status, headers } = response
    const text = await this.#whole(response)
    const to = headers.get('Location')
    if (status >= 300 && status < 400 && to !== null) throw sentElsewhere(this.#server, to)
    const name = errorIn(text)
    if (name === undefined) throw unexpectedAnswer(this.#server, described(response))
    if (NO_ENDPOINT.has(name)) throw unexpectedAnswer(this.#server, `${name}, status ${status}`)
    return new Response(text, { status, headers })
  }
}

const asError = async (refusal: Response): Promise<CliError> => {
  const { error, message } = (await refusal.json()) as { readonly error: string; readonly message: string }
  return serverError(error, message)
}

const DONE = { status: 204 }
const NO_ENDPOINT = new Set(['MethodNotAllowed', 'NotFound'])

/** The name of the error that the body of an answer says. */
const errorIn = (text: string): string | undefined => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' &&
      body !== null &&
      'error' in body &&
      'message' in body &&
      typeof body.error === 'string'
      ? body.error
      : undefined
  } catch {
    return undefined
  }
}

const described = ({ status, headers }: Response): string =>
  `status ${status}, ${headers.get('Content-Type')?.split(';')[0] ?? 'no type'}`

// The token must not be sent to another server.
const sentElsewhere = (server: string, to: string) => {
  const target = URL.parse(to, `${server}/`)
  const where = target === null ? 'another address' : target.origin
  return serverError(
    'Redirected',
    `The server ${server} redirects to ${where}, which is not followed. If that is the right server, give it with --server.`,
  )
}
