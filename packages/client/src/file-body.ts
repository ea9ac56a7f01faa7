/** Text in UTF-8, at once or piece by piece. */
export type FileText = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>

/**
 * A file to send: CSV, or NDJSON as text or as the records themselves. What comes piece by piece is sent while it comes,
 * which not every browser can.
 */
export type FileBody<Row> =
  | { readonly csv: FileText }
  | { readonly ndjson: FileText | Iterable<Row> | AsyncIterable<Row> }

/** A PNG or an SVG. */
export type Picture = Blob | Uint8Array

type Source = FileText | Iterable<unknown> | AsyncIterable<unknown>

/** What `fetch` takes for a file, and its type. */
export const encodedFile = (file: FileBody<unknown> | Picture): { readonly type: string; readonly body: unknown } => {
  if (file instanceof Blob) return { type: file.type || ANY_TYPE, body: file }
  if (file instanceof Uint8Array) return { type: ANY_TYPE, body: file }
  return 'csv' in file
    ? { type: 'text/csv', body: encoded(file.csv) }
    : { type: 'application/x-ndjson', body: encoded(file.ndjson) }
}

const ANY_TYPE = 'application/octet-stream'

const encoded = (source: Source): unknown => {
  if (typeof source === 'string' || source instanceof Blob || source instanceof Uint8Array) return source
  if (Array.isArray(source)) return source.map(lineOf).join('')
  return source instanceof ReadableStream ? source : streamOf(source)
}

const lineOf = (record: unknown): string => `${JSON.stringify(record)}\n`

/** `ReadableStream.from`, which not every runtime has. */
const streamOf = (source: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> => {
  const pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else if (value instanceof Uint8Array) controller.enqueue(value)
      else controller.enqueue(encoder.encode(typeof value === 'string' ? value : lineOf(value)))
    },
    cancel: async () => {
      await pieces.return?.()
    },
  })
}
