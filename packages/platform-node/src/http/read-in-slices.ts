import type { Socket } from 'node:net'

/** The bytes that are parsed before a pause takes effect: some twenty-five short requests, or one of a browser. */
const SLICE = 1024

/**
 * Has the bytes of a connection parsed a few at a time. Node parses up to 64 KiB at once, some 2,000 requests, even if
 * the connection is paused after the first; and each of them takes time, and memory a hundred times its length. Call
 * this once the server has the connection.
 */
export const readInSlices = (socket: Socket): void => {
  const push = socket.push.bind(socket)
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (!Buffer.isBuffer(chunk) || chunk.length <= SLICE) return push(chunk, encoding)
    let wantsMore = true
    for (let at = 0; at < chunk.length; at += SLICE) wantsMore = push(chunk.subarray(at, at + SLICE))
    return wantsMore
  }
  // Node parses what it receives without the stream, until somebody listens to the stream.
  socket.on('data', ignore)
  socket.off('data', ignore)
}

const ignore = (): void => {}
