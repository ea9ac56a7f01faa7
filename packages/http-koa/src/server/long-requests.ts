import type { IncomingMessage } from 'node:http'

const long = new WeakSet<IncomingMessage>()

/** Lets the request take as long as it likes to arrive, for as long as it does arrive. */
export const allowTime = (req: IncomingMessage): void => {
  long.add(req)
}

export const mayTakeLong = (req: IncomingMessage): boolean => long.has(req)
