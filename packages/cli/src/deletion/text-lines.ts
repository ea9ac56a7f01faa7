/** A line this long is no list of ids; and memory is bounded. */
const LONGEST = 65_536

/**
 * UTF-8 chunks as lines, without their ends (LF or CRLF) and without a byte order mark.
 * @throws {RangeError} the line after the last one is too long
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield withoutReturn(line)
    if (rest.length > LONGEST) throw new RangeError('A line is too long to hold an id.')
  }
  rest += decoder.decode()
  if (rest !== '') yield withoutReturn(rest)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
