import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Caller } from '@rollcall/core'
import { createApp } from './app.ts'
import type { HttpLog, HttpOptions } from './http-options.ts'

/** As much of `fetch` as a client of this service needs. */
export type InProcessFetch = (url: string, init?: RequestInit) => Promise<Response>

/**
 * The whole interface as a `fetch` for this process alone: HTTP over memory. Whatever comes through is asked by `caller`,
 * because only code that holds the function can ask; tokens are not looked at. The server behind it listens nowhere and
 * is reached in no other way. What a client over the network is not told of an error is thrown as it is.
 */
export const createInProcessFetch = (options: HttpOptions, caller: Caller): InProcessFetch => {
  const failures = new Map<string, unknown>()
  const authenticate: HttpOptions['useCases']['authenticate'] = {
    execute: async ({ requestId }) => ({ ...caller, requestId }),
  }
  const useCases = { ...options.useCases, authenticate }
  const app = createApp({ ...options, useCases, log: keepingErrors(options.log, failures) })
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, app.callback())
  return async (url, init = {}) => {
    const message = await answerTo(url, init, () => {
      const [near, far] = duplexPair()
      server.emit('connection', far)
      return near
    })
    const requestId = String(message.headers['x-request-id'])
    const failed = (): unknown => {
      const error = failures.get(requestId)
      failures.delete(requestId)
      return error
    }
    const { statusCode: status = 500 } = message
    const why = status >= 500 ? failed() : undefined
    if (why !== undefined) throw why
    const hasBody = ![204, 304].includes(status) && init.method !== 'HEAD'
    const body = hasBody ? ReadableStream.from(piecesOf(message, failed)) : null
    if (!hasBody) message.resume()
    return new Response(body, { status, headers: headersOf(message) })
  }
}

/** What the log is told of a request that failed: the operator gets it as it is. */
const keepingErrors = (log: HttpLog, failures: Map<string, unknown>): HttpLog => {
  const keep = (write: 'error' | 'warn') => (fields: object, message: string) => {
    if ('request_id' in fields && 'err' in fields) failures.set(String(fields.request_id), fields.err)
    else log[write](fields, message)
  }
  return { debug: () => undefined, info: () => undefined, warn: keep('warn'), error: keep('error') }
}

const answerTo = (
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  connect: () => ReturnType<typeof duplexPair>[0],
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const fields = Object.fromEntries(new Headers(headers))
    const content = typeof body === 'string' || body instanceof Uint8Array ? body : undefined
    if (content !== undefined) fields['content-length'] = String(Buffer.byteLength(content))
    const createConnection = connect as unknown as NonNullable<Parameters<typeof sendRequest>[1]>['createConnection']
    const request = sendRequest(url, { method, headers: fields, createConnection, ...(signal && { signal }) }, resolve)
    request.on('error', reject)
    // Before its end an answer may come that does not wait for the rest: its reader is told what went wrong.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as NodeStream), request).catch(reject)
    else request.end(content)
  })

/** The bytes as they come; if the answer broke off, what broke it is thrown. */
async function* piecesOf(message: IncomingMessage, failed: () => unknown): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of message) {
      const error = failed()
      if (error !== undefined) throw error
      yield piece
    }
  } catch (error) {
    throw failed() ?? error
  }
}

const headersOf = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
