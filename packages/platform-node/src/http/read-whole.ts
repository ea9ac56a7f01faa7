/**
 * The bytes of a body that is read whole, and no further than it may be long.
 * @param longest in bytes, counted as they come: what a header says of the length is only said
 * @throws what `tooLong` makes
 */
export const readWhole = async (
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number,
  tooLong: () => Error,
): Promise<Buffer<ArrayBuffer>> => {
  const read: Uint8Array[] = []
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > longest) throw tooLong()
    read.push(piece)
  }
  return Buffer.concat(read)
}
