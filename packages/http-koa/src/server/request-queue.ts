import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLingering } from './lingering-close.ts'

/** The requests of one connection that are handled at the same time. Their responses may have to wait for each other. */
const MOST_IN_HAND = 4
/** Methods that change nothing (RFC 9110 section 9.2.1). */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** The waiting requests, of all connections, that begin in one turn of the event loop. */
const MOST_PER_TURN = 8

type Exchanged = readonly [req: IncomingMessage, res: ServerResponse<IncomingMessage>, handle: RequestListener]

type QueueRequest = (req: IncomingMessage, res: ServerResponse<IncomingMessage>, instead?: RequestListener) => void

/**
 * Hands on the requests of each connection as earlier ones are answered and their answers have left the process. A
 * client may send thousands at once (pipelining): unlimited, they hold up all other clients, and their answers fill the
 * memory if the client does not read them. While requests wait, nothing more is read from their connection. Only safe
 * ones are handled at the same time (RFC 9112 section 9.3.2), and behind an answer that closes the connection none begins
 * (section 9.6).
 * @returns a function that takes a request, and what handles it instead of `handle`, if anything
 */
export const inTurn = (handle: RequestListener): QueueRequest => {
  const queues = new WeakMap<Socket, RequestQueue>()
  return (req, res, instead = handle) => {
    const { socket } = req
    let queue = queues.get(socket)
    if (queue === undefined) {
      queue = new RequestQueue(socket)
      queues.set(socket, queue)
    }
    queue.add([req, res, instead])
  }
}

class RequestQueue {
  readonly #socket: Socket
  #inHand = 0
  /** Whether all in hand are safe. */
  #isSafe = true
  #waiting: Exchanged[] = []
  #latest: ServerResponse<IncomingMessage> | undefined
  #isListed = false
  readonly #flow: () => void
  /** One for all responses of the connection; it is called once for each. */
  readonly #onEnd = (): void => {
    this.#inHand--
    this.#list()
  }

  constructor(socket: Socket) {
    this.#socket = socket
    // Node pauses the connection, too: while responses or a body are not read. It ends the process if it is given data
    // meanwhile. So the connection flows only when neither side holds it.
    const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)]
    let isHeldByNode = false
    this.#flow = () => {
      if ((isHeldByNode || this.#waiting.length > 0) && !isLingering(socket)) pause()
      else resume()
    }
    socket.pause = () => {
      isHeldByNode = true
      this.#flow()
      return socket
    }
    socket.resume = () => {
      isHeldByNode = false
      this.#flow()
      return socket
    }
  }

  add(exchanged: Exchanged): void {
    if (this.#waiting.length === 0 && this.#mayBegin(exchanged) && !this.#isOver()) this.#begin(exchanged)
    else {
      this.#waiting.push(exchanged)
      this.#flow()
    }
  }

  /** Begins the first waiting request. */
  next(): void {
    this.#isListed = false
    if (this.#isOver()) return
    const [exchanged] = this.#waiting
    if (exchanged === undefined || !this.#mayBegin(exchanged)) return
    this.#waiting.shift()
    this.#begin(exchanged)
    this.#list()
    this.#flow()
  }

  #mayBegin([{ method }]: Exchanged): boolean {
    if (this.#inHand === 0) return true
    return this.#isSafe && this.#inHand < MOST_IN_HAND && SAFE.has(method)
  }

  // The latest response closes the connection or has done so, or the client has: no other can be sent.
  #isOver(): boolean {
    if (!this.#socket.writable) return true
    const latest = this.#latest
    return latest !== undefined && !latest.writableFinished && latest.getHeader('connection') === 'close'
  }

  #begin([req, res, handle]: Exchanged): void {
    this.#inHand++
    this.#isSafe = SAFE.has(req.method)
    this.#latest = res
    res.on('close', this.#onEnd)
    handle(req, res)
  }

  #list(): void {
    const [exchanged] = this.#waiting
    if (this.#isListed || exchanged === undefined || !this.#mayBegin(exchanged)) return
    this.#isListed = true
    listed.push(this)
    schedule()
  }
}

/** The queues whose next request may begin, each once. */
const listed: RequestQueue[] = []
let isScheduled = false

const schedule = (): void => {
  if (isScheduled || listed.length === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    for (const queue of listed.splice(0, MOST_PER_TURN)) queue.next()
    schedule()
  })
}
