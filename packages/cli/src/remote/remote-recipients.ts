import { textOf } from '@rollcall/client'
import { type BlockReason, FeedNotFound, type SkippedBecause } from '@rollcall/core'
import * as v from 'valibot'
import { countingLines } from './counting-lines.ts'
import { unexpectedAnswer } from './decode.ts'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'

const ids = v.array(v.number())
const text = <Text extends string>() => v.custom<Text>((value) => typeof value === 'string')

const RECIPIENTS = v.object({
  send: ids,
  skip: v.array(v.object({ id: v.number(), because: text<SkippedBecause>() })),
})

const SUPPRESSIONS = v.pipe(
  v.object({
    blocked: v.array(v.string()),
    unread: v.array(v.string()),
    reasons: v.optional(v.array(v.object({ address: v.string(), because: text<BlockReason>() }))),
  }),
  v.transform(({ blocked, unread, reasons }) => ({ blocked, unread, reasons })),
)

/** The use cases about recipients, over HTTP. */
export const remoteRecipients = (server: RemoteServer) =>
  ({
    listRecipients: async ({ feed, onProgress }) =>
      whole(textOf(await server.open('listRecipients', { name: inPath(FeedNotFound, feed) })), onProgress),
    checkRecipients: async ({ feed, ids: asked }) =>
      (await server.ask('checkRecipients', { name: inPath(FeedNotFound, feed), body: { ids: asked } })).as(RECIPIENTS),
    checkSuppressions: async ({ addresses }) =>
      (await server.ask('checkSuppressions', { body: { addresses } })).as(SUPPRESSIONS),
  }) satisfies Partial<RemoteUseCases>

const LAST = /(?:^|\n)\{"recipients":\d+\}\n$/

/** @throws {CliError} the last line is missing: the list broke off */
async function* whole(
  pieces: AsyncIterable<string>,
  onProgress: ((recipients: number) => void) | undefined,
): AsyncGenerator<string> {
  // The first and the last are no recipients.
  const onLines = (lines: number): void => onProgress?.(Math.max(0, lines - 2))
  let end = ''
  for await (const piece of countingLines(pieces, onLines)) {
    end = (end + piece).slice(-100)
    yield piece
  }
  if (!LAST.test(end)) throw unexpectedAnswer('the list has no end')
}
