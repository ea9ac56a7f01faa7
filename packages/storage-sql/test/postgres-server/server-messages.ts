/** A type of one byte, and four bytes that count themselves and what follows. */
const HEAD = 5

/**
 * Takes what a server sends apart into messages, whatever the pieces it comes in.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class ServerMessages {
  #rest = Buffer.alloc(0)

  /** Those that are whole now. */
  take(bytes: Buffer): Buffer[] {
    const messages: Buffer[] = []
    let rest = Buffer.concat([this.#rest, bytes])
    while (rest.length >= HEAD) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) break
      messages.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    this.#rest = rest
    return messages
  }
}

/** An error as a pooler says it, which has neither a place in the server's source nor a hint. */
export const poolerError = (message: string, { code = '08P01', severity = 'FATAL' } = {}): Buffer => {
  const fields = `S${severity}\0C${code}\0M${message}\0\0`
  const head = Buffer.alloc(HEAD)
  head.write('E', 'latin1')
  head.writeUInt32BE(4 + Buffer.byteLength(fields), 1)
  return Buffer.concat([head, Buffer.from(fields)])
}
