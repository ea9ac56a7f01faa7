import type { Server } from 'node:http'
import net from 'node:net'
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'

/** Milliseconds: the duration of a turn of the event loop that counts as empty; it grows with the time waited. */
const SHORTEST_EMPTY_TURN = 0.03
const LONGEST_EMPTY_TURN = 0.2
/** Milliseconds: after these, the listener is closed although new connections keep coming. */
const LONGEST_WAIT = 500

/**
 * Stops accepting connections. Closing the listener resets connections that the kernel has established and that are not
 * accepted yet, so this waits for a moment without any. Open connections stay, idle ones too.
 * @returns a promise that resolves when all connections are closed
 */
export const closeListener = async (server: Server): Promise<{ readonly closed: Promise<void> }> => {
  let arrivals = 0
  const onArrival = () => {
    arrivals++
  }
  server.on('connection', onArrival)
  const start = performance.now()
  for (let passed = 0, before = -1; passed < LONGEST_WAIT; ) {
    before = arrivals
    await nextTurnOfTheLoop()
    const turn = performance.now() - start - passed
    if (arrivals === before && turn < emptyTurnAfter(passed)) break
    passed += turn
  }
  server.off('connection', onArrival)
  // The method of an HTTP server would close idle connections, too.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()))
  return { closed }
}

const emptyTurnAfter = (passed: number): number =>
  SHORTEST_EMPTY_TURN + (LONGEST_EMPTY_TURN - SHORTEST_EMPTY_TURN) * (passed / LONGEST_WAIT)
