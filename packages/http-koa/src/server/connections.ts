import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLingering, LingeringClose } from './lingering-close.ts'
import { errorBytes, type ParseError, parseFailure, sendServerError } from './server-error.ts'

type Listener = () => void

const READINESS = /^\/readyz(?:\?|$)/

/** The open connections of one server, each with the last response that began on it. */
export class Connections {
  readonly #latest = new Map<Socket, ServerResponse<IncomingMessage> | undefined>()
  readonly #closing = new WeakSet<Socket>()
  readonly #lingering = new LingeringClose()
  readonly #onDrain = new WeakMap<Socket, readonly Listener[]>()
  #leaving = false
  #closeAnnounced = false
  #draining = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#latest.set(socket, undefined)
      socket.once('close', () => this.#latest.delete(socket))
      this.#onDrain.set(socket, socket.listeners('drain') as Listener[])
      // Node calls this after an answer that closes the connection.
      socket.destroySoon = () => this.#lingering.begin(socket)
    })
  }

  /** Whether a request came too late to be served. */
  refuses({ url = '' }: IncomingMessage): boolean {
    return this.#draining || (this.#leaving && READINESS.test(url))
  }

  begin(req: IncomingMessage, res: ServerResponse<IncomingMessage>): void {
    if (!req.socket.destroyed) this.#latest.set(req.socket, res)
    if (this.#closeAnnounced) res.setHeader('Connection', 'close')
  }

  /** From now on the service is not ready, but still serves requests. */
  leave(): void {
    this.#leaving = true
  }

  /** From now on every response closes its connection. */
  announceClose(): void {
    this.#closeAnnounced = true
    for (const res of this.#latest.values()) if (res && !res.headersSent) res.setHeader('Connection', 'close')
  }

  /** From now on new requests are refused. */
  drain(): void {
    this.#draining = true
  }

  /** Closes connections that never sent a byte, which Node takes for busy ones, and soon those that linger. */
  closeUnused(): void {
    this.#lingering.sweep()
    for (const [socket, res] of this.#latest) if (res === undefined && socket.bytesRead === 0) socket.destroy()
  }

  /** Cuts off all connections, also those that Node does not count any more. */
  destroy(): void {
    for (const socket of this.#latest.keys()) socket.destroy()
  }

  /** Answers bytes that are not a request, after all earlier requests on the same connection. */
  fail(error: ParseError, socket: Socket): void {
    if (this.#closing.has(socket) || isLingering(socket)) return
    const res = this.#latest.get(socket)
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && res !== undefined && mayTakeLong(res.req)) return
    this.#closing.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (res === undefined || res.req.complete) this.#closeAfter(res, socket, errorBytes(parseFailure(error)))
    else if (res.writableFinished) this.#lingering.begin(socket)
    else this.#abandon(res, error, socket)
  }

  /** Answers a request for a tunnel, after all earlier requests on the same connection. */
  refuseTunnel(socket: Socket, bytes: string): void {
    // Node has let go of the connection: nothing ends it after a time, or lets a response that is streamed go on.
    socket.on('error', () => socket.destroy())
    socket.on('timeout', () => socket.destroy())
    for (const listener of this.#onDrain.get(socket) ?? []) socket.on('drain', listener)
    this.#closeAfter(this.#latest.get(socket), socket, bytes)
  }

  // The broken bytes are the body of a request in flight: this is its response.
  #abandon(res: ServerResponse<IncomingMessage>, error: ParseError, socket: Socket): void {
    res.once('finish', () => this.#lingering.begin(socket))
    if (!res.headersSent) sendServerError(res.req, res, parseFailure(error))
  }

  #closeAfter(res: ServerResponse<IncomingMessage> | undefined, socket: Socket, bytes: string): void {
    if (res === undefined || res.writableFinished) this.#lingering.begin(socket, bytes)
    else res.once('finish', () => this.#lingering.begin(socket, bytes))
  }
}

const long = new WeakSet<IncomingMessage>()

/** Exempts the request from the limit on how long it may take to arrive; the idle timeout still applies. */
export const allowTime = (req: IncomingMessage): void => {
  long.add(req)
}

const mayTakeLong = (req: IncomingMessage): boolean => long.has(req)
