import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Unavailable } from '@rollcall/core'
import { ConnectionGuard } from '@rollcall/platform-node'
import { errorBytes, noSuchMethod, type ParseError, parseFailure, sendServerError } from './server-error.ts'

const READINESS = /^\/readyz(?:\?|$)/

/** The open connections of one server, until they are closed. */
export class Connections {
  readonly #guard: ConnectionGuard
  readonly #trace: boolean
  #leaving = false
  #draining = false

  /** @param trace whether the method TRACE is answered */
  constructor(server: Server, trace: boolean) {
    this.#trace = trace
    this.#guard = new ConnectionGuard(server)
  }

  /** Has a request handled in its turn, or refused if it came too late to be served. */
  take(req: IncomingMessage, res: ServerResponse<IncomingMessage>, handle: RequestListener): void {
    const isLate = this.#draining || (this.#leaving && READINESS.test(req.url ?? ''))
    this.#guard.take(req, res, isLate ? refuse : handle)
  }

  /** From now on the service is not ready, but still serves requests. */
  leave(): void {
    this.#leaving = true
  }

  /** From now on every response closes its connection. */
  announceClose(): void {
    this.#guard.announceClose()
  }

  /** From now on new requests are refused. */
  drain(): void {
    this.#draining = true
  }

  /** Closes connections that never sent a byte, which Node takes for busy ones, and soon those that linger. */
  closeUnused(): void {
    this.#guard.sweep()
    for (const socket of this.#guard.sockets)
      if (this.#guard.latest(socket) === undefined && socket.bytesRead === 0) socket.destroy()
  }

  /** Cuts off all connections, also those that Node does not count any more. */
  destroy(): void {
    for (const socket of this.#guard.sockets) socket.destroy()
  }

  /** Answers bytes that are not a request, after all earlier requests on the same connection. */
  fail(error: ParseError, socket: Socket): void {
    const req = this.#guard.latest(socket)?.req
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && req !== undefined && mayTakeLong(req)) return
    const failure = parseFailure(error, this.#trace)
    this.#guard.fail(error, socket, {
      bytes: () => errorBytes(failure),
      send: (res) => sendServerError(res.req, res, failure),
    })
  }

  /** Answers a request for a tunnel, after all earlier requests on the same connection. */
  refuseTunnel(socket: Socket): void {
    this.#guard.refuseTunnel(socket, { bytes: () => errorBytes(noSuchMethod(this.#trace)) })
  }
}

const refuse: RequestListener = (req, res) => sendServerError(req, res, new Unavailable())

const long = new WeakSet<IncomingMessage>()

/** Exempts the request from the limit on how long it may take to arrive; the idle timeout still applies. */
export const allowTime = (req: IncomingMessage): void => {
  long.add(req)
}

const mayTakeLong = (req: IncomingMessage): boolean => long.has(req)
