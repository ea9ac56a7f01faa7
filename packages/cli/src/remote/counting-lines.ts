/** The same text; says after each piece how many lines have come. */
export async function* countingLines(
  text: AsyncIterable<string>,
  onLines: ((lines: number) => void) | undefined,
): AsyncGenerator<string> {
  let lines = 0
  for await (const piece of text) {
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) lines++
    onLines?.(lines)
    yield piece
  }
}
