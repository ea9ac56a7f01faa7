import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLingering, LingeringClose } from './lingering-close.ts'
import { readInSlices } from './read-in-slices.ts'
import type { Refusal } from './refusal.ts'

/** The unanswered requests that one connection may have. */
const MOST_UNANSWERED = 8

/** Milliseconds; for clients that do not read their answers. Node waits twice as long if some of an answer is buffered. */
const IDLE_TIMEOUT = 75_000
/** Milliseconds between two looks at the connections that may be idle. */
const LOOK = 1_000

type Response = ServerResponse<IncomingMessage>
type Exchange = readonly [req: IncomingMessage, res: Response, handle: RequestListener]

/**
 * Keeps one client of a listener from holding up those of all. A client may send thousands of requests at once
 * (pipelining). Those of a connection are handled one after another, so each finds what the ones before it have stored.
 * Once more than a few wait, the next answer closes the connection: no handler gets what was sent behind its request. So
 * does the answer to a request with `Upgrade`, because Node loses some of the bytes behind one. A connection that is
 * idle, or whose answers are not read, is closed after a time, whatever it sends meanwhile: for Node, each byte begins
 * that time anew. Install this before the server listens, and have it take every request.
 */
export class ConnectionGuard {
  readonly #queues = new Map<Socket, RequestQueue>()
  readonly #lingering = new LingeringClose()
  readonly #failed = new WeakSet<Socket>()
  #closeAnnounced = false

  constructor(server: Server) {
    // Only the size of header fields is limited: above a count, Node would silently drop fields.
    server.maxHeadersCount = 0
    server.setTimeout(IDLE_TIMEOUT)
    server.on('connection', (socket: Socket) => {
      this.#queues.set(socket, new RequestQueue(socket))
      socket.once('close', () => this.#queues.delete(socket))
      // Node calls this after an answer that closes the connection.
      socket.destroySoon = () => this.#lingering.begin(socket)
      readInSlices(socket)
    })
    const looking = setInterval(() => this.#closeIdle(server), LOOK).unref()
    server.once('close', () => clearInterval(looking))
  }

  /** The open connections. */
  get sockets(): Iterable<Socket> {
    return this.#queues.keys()
  }

  /** The response to the latest request of a connection. */
  latest(socket: Socket): Response | undefined {
    return this.#queues.get(socket)?.latest
  }

  /** Has the request handled in its turn, if its connection may still send one. */
  take(...exchange: Exchange): void {
    const [{ socket }] = exchange
    this.#queues.get(socket)?.add(exchange, this.#closeAnnounced)
  }

  /** From now on every answer closes its connection. */
  announceClose(): void {
    this.#closeAnnounced = true
    for (const { latest } of this.#queues.values())
      if (latest && !latest.headersSent) latest.setHeader('Connection', 'close')
  }

  /** Answers bytes that are not a request, after all earlier requests of the connection. */
  fail(error: Error & { readonly code?: string }, socket: Socket, { bytes, send }: Refusal): void {
    if (this.#failed.has(socket) || isLingering(socket)) return
    this.#failed.add(socket)
    const res = this.latest(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (res === undefined || res.req.complete) this.#closeWith(socket, bytes())
    else {
      // The broken bytes are the body of a request in flight: this is its answer.
      this.#closeWith(socket)
      if (!res.headersSent) send(res)
    }
  }

  /** Answers a request for a tunnel, after all earlier requests of the connection. */
  refuseTunnel(socket: Socket, { bytes }: Pick<Refusal, 'bytes'>): void {
    // Node has let go of the connection: nothing ends it after a time, or lets an answer that is streamed go on.
    socket.on('error', () => socket.destroy())
    socket.on('timeout', () => socket.destroy())
    for (const listener of this.#queues.get(socket)?.onDrain ?? []) socket.on('drain', listener)
    this.#closeWith(socket, bytes())
  }

  /** Closes, soon, those connections that only linger. */
  sweep(): void {
    this.#lingering.sweep()
  }

  /**
   * Those that have had time to begin a request, and after that for all of its header fields; and those that have read
   * nothing of what waits for them in twice the time after which Node would close them.
   */
  #closeIdle({ keepAliveTimeout, headersTimeout, timeout }: Server): void {
    const now = performance.now()
    for (const [socket, queue] of this.#queues) {
      const isIdle = now - queue.idleSince > keepAliveTimeout + headersTimeout
      if (isIdle || now - queue.unreadSince(now) > 2 * timeout) socket.destroy()
    }
  }

  #closeWith(socket: Socket, bytes = ''): void {
    const res = this.latest(socket)
    if (res === undefined || res.writableFinished) this.#lingering.begin(socket, bytes)
    else res.once('finish', () => this.#lingering.begin(socket, bytes))
  }
}

/** The requests of one connection that are not answered yet, of which the first is in hand. */
class RequestQueue {
  latest: Response | undefined
  /** Since when it has had no request, after one that was answered. */
  idleSince = Number.POSITIVE_INFINITY
  /** What Node does once the client has read some of an answer. */
  readonly onDrain: readonly (() => void)[]
  readonly #socket: Socket
  readonly #unanswered: Exchange[] = []
  #isOver = false
  /** The bytes that the system had taken at the last look, and since when it is these. */
  #taken = 0
  #takenAt = 0

  constructor(socket: Socket) {
    this.#socket = socket
    this.onDrain = socket.listeners('drain') as (() => void)[]
  }

  /**
   * Since when the client has read nothing of what waits for it, as far as was looked; now if nothing waits. A piece of an
   * answer counts once the system has taken all of it; of a long answer, that is a megabyte or more at a time.
   */
  unreadSince(now: number): number {
    const { bytesWritten, writableLength } = this.#socket
    const taken = bytesWritten - writableLength
    if (writableLength === 0 || taken !== this.#taken) this.#takenAt = now
    this.#taken = taken
    return this.#takenAt
  }

  add(exchange: Exchange, isLast: boolean): void {
    if (this.#isOver) {
      this.#readNoMore()
      return
    }
    const [{ headers }, res] = exchange
    this.idleSince = Number.POSITIVE_INFINITY
    this.#unanswered.push(exchange)
    this.latest = res
    if (isLast || headers.upgrade !== undefined) this.#endWith(this.#unanswered.length - 1)
    else if (this.#unanswered.length > MOST_UNANSWERED) {
      this.#endWith(this.#unanswered.findIndex(([, { headersSent }]) => !headersSent))
      this.#readNoMore()
    }
    if (this.#unanswered[0] === exchange) this.#begin()
  }

  #begin(): void {
    const [exchange] = this.#unanswered
    // The answer before may have closed the connection, or the client may have: no other can be sent.
    if (exchange === undefined || !this.#socket.writable) return
    const [req, res, handle] = exchange
    // Its body has turned out to be broken while it waited.
    if (res.headersSent) return
    res.once('close', () => {
      this.#unanswered.shift()
      if (this.#unanswered.length === 0) this.idleSince = performance.now()
      this.#begin()
    })
    handle(req, res)
  }

  /** Has the connection closed by the answer to this request. Those behind it were not begun, and never are. */
  #endWith(index: number): void {
    this.#isOver = true
    this.#unanswered.length = index + 1
    this.latest = this.#unanswered[index]?.[1]
    this.latest?.setHeader('Connection', 'close')
  }

  // Node resumes a connection whose answer has left; until the connection lingers, this pauses it again.
  #readNoMore(): void {
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', () => this.#socket.pause())
    this.#socket.pause()
  }
}
