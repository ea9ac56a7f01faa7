/** The bytes of an answer, as they come. A reader that stops early ends the answer. */
export async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  // Not every runtime iterates over streams.
  const reader = body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** UTF-8 as text, in the same pieces. With `ignoreBOM`, a byte order mark stays. */
export async function* textOf(
  pieces: AsyncIterable<Uint8Array>,
  options: { readonly ignoreBOM?: boolean } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', options)
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

/** The lines of a text that comes in pieces; the last one may lack its end. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
