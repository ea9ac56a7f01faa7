import type { Socket } from 'node:net'

/** Milliseconds. */
const LONGEST = 2_000
const MOST_BYTES = 16 * 1024 * 1024
const MOST_CONNECTIONS = 1_000

const lingering = new WeakSet<Socket>()

/** Whether all that the client still sends is dropped. */
export const isLingering = (socket: Socket): boolean => lingering.has(socket)

/**
 * Closes connections in stages (RFC 9112 section 9.6): ends this side, reads on and drops what comes, and closes once
 * the client has ended its side, too. Closed at once, with bytes unread or on their way, a connection is reset, and its
 * client may lose the last answer. Time, bytes and the number of such connections are limited.
 */
export class LingeringClose {
  readonly #timers = new Map<Socket, NodeJS.Timeout>()
  #known: readonly Socket[] = []

  /** From now on nothing that the client sends is parsed, so no request begins behind the last answer. */
  begin(socket: Socket, lastBytes = ''): void {
    if (socket.destroyed || lingering.has(socket)) return
    lingering.add(socket)
    if (this.#timers.size >= MOST_CONNECTIONS) this.#closeOldest()
    const timer = setTimeout(() => socket.destroy(), LONGEST)
    timer.unref()
    this.#timers.set(socket, timer)
    socket.once('close', () => this.#forget(socket))
    if (socket.writable) socket.end(lastBytes)
    const limit = socket.bytesRead + MOST_BYTES
    socket.removeAllListeners('data')
    socket.on('data', () => {
      if (socket.bytesRead > limit) socket.destroy()
    })
    socket.resume()
  }

  /** Closes those that lingered at the call before, too. */
  sweep(): void {
    for (const socket of this.#known) socket.destroy()
    this.#known = [...this.#timers.keys()]
  }

  // It has had the most time to read its answer.
  #closeOldest(): void {
    const [oldest] = this.#timers.keys()
    if (oldest === undefined) return
    oldest.destroy()
    this.#forget(oldest)
  }

  #forget(socket: Socket): void {
    clearTimeout(this.#timers.get(socket))
    this.#timers.delete(socket)
  }
}
