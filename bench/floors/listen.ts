import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'

/** Serves on the port of the first argument until it is told to end. */
export const listen = (handle: RequestListener): void => {
  createServer(handle).listen(Number(process.argv[2]), '127.0.0.1')
  process.once('SIGTERM', () => process.exit())
}
