import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Unavailable } from '@rollcall/core'
import { mayTakeLong } from './long-requests.ts'
import { type ParseError, parseFailure } from './parse-failure.ts'
import { errorBytes, sendServerError } from './server-error.ts'

const LINGER = 1_000
const READINESS = /^\/readyz(?:\?|$)/

/** The open connections of one server, each with the last exchange that began on it. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse<IncomingMessage> | undefined>()
  readonly #closing = new WeakSet<Socket>()
  #leaving = false
  #lastCall = false
  #draining = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#latest.set(socket, undefined)
      socket.once('close', () => this.#latest.delete(socket))
    })
  }

  /** Whether a request has come too late. */
  refuses({ url = '' }: IncomingMessage): boolean {
    return this.#draining || (this.#leaving && READINESS.test(url))
  }

  begin(req: IncomingMessage, res: ServerResponse<IncomingMessage>): void {
    if (!req.socket.destroyed) this.#latest.set(req.socket, res)
    if (this.#lastCall) res.setHeader('Connection', 'close')
  }

  /** From now on it is not ready, whatever else it still does. */
  leave(): void {
    this.#leaving = true
  }

  /** From now on every answer closes its connection. */
  callLast(): void {
    this.#lastCall = true
    for (const res of this.#latest.values()) if (res && !res.headersSent) res.setHeader('Connection', 'close')
  }

  /** From now on what comes anew is refused. */
  drain(): void {
    this.#draining = true
  }

  /** Closes connections on which nothing was ever said; Node takes them for busy ones. */
  closeSilent(): void {
    for (const [socket, res] of this.#latest) if (res === undefined && socket.bytesRead === 0) socket.destroy()
  }

  refuse(req: IncomingMessage, res: ServerResponse): void {
    sendServerError(req, res, new Unavailable())
  }

  /** Answers bytes that are no request, after whatever was asked before them on the same connection. */
  fail(error: ParseError, socket: Socket): void {
    if (this.#closing.has(socket)) return
    const res = this.#latest.get(socket)
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && res !== undefined && mayTakeLong(res.req)) return
    this.#closing.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (res === undefined || res.writableFinished)
      this.#close(socket, res?.req.complete === false ? '' : errorBytes(parseFailure(error)))
    else if (res.req.complete) res.once('finish', () => this.#close(socket, errorBytes(parseFailure(error))))
    else this.#abandon(res, error, socket)
  }

  // The broken bytes are the body of a request that somebody works on: this is its answer.
  #abandon(res: ServerResponse<IncomingMessage>, error: ParseError, socket: Socket): void {
    res.once('finish', () => this.#close(socket, ''))
    if (!res.headersSent) sendServerError(res.req, res, parseFailure(error))
  }

  // Closing at once, with bytes unread, would reset the connection, and could take the answer with it.
  #close(socket: Socket, bytes: string): void {
    if (socket.writable) socket.end(bytes)
    socket.resume()
    const timer = setTimeout(() => socket.destroy(), LINGER)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }
}
