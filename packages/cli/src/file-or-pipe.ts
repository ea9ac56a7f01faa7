import { constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/**
 * The bytes of a file, or of a pipe with a name, such as `<(...)` makes. Read as a file, a pipe without a writer
 * would hold up a thread that the process waits for when it ends, Ctrl-C or not.
 */
export const fileOrPipe = async (path: string): Promise<Readable> => {
  if (!(await stat(path)).isFIFO()) return createReadStream(path)
  // Without a writer this does not block. The descriptor is the socket's, which closes it.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}
