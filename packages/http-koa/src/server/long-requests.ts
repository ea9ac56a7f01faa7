import type { IncomingMessage } from 'node:http'

const long = new WeakSet<IncomingMessage>()

/** Exempts the request from the limit on how long it may take to arrive; the idle timeout still applies. */
export const allowTime = (req: IncomingMessage): void => {
  long.add(req)
}

export const mayTakeLong = (req: IncomingMessage): boolean => long.has(req)
