/**
 * Works on several items at once and gives the results in the order of the items. However long the source is, no more
 * than `limit` items are in memory. A consumer that stops early waits until nothing is in flight.
 * @param work must not reject: its rejection could come before anything awaits it
 */
export async function* inOrder<Item, Result>(
  source: AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const inFlight: Promise<Result>[] = []
  try {
    for await (const item of source) {
      inFlight.push(work(item))
      if (inFlight.length < limit) continue
      const [first] = inFlight.splice(0, 1)
      if (first !== undefined) yield await first
    }
    for (const result of inFlight) yield await result
  } finally {
    await Promise.all(inFlight)
  }
}
