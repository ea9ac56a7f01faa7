import type { FieldNames, ImportReportLine, ImportSummary, RecordFormat } from '@rollcall/core'
import { interrupted } from '../cli-error.ts'
import type { CliUseCases } from '../cli-host.ts'
import { refusalOf } from './refusal.ts'
import { remotePage } from './remote-list.ts'
import type { RemoteServer } from './remote-server.ts'
import { decode, schemas } from './schemas.ts'
import { parsedJson, unexpectedAnswer } from './unexpected-answer.ts'

const TYPES: Readonly<Record<RecordFormat, string>> = { ndjson: 'application/x-ndjson', csv: 'text/csv' }

/** A file that is sent while it is read, and the report that comes while it is sent. */
export const remoteImport = (server: RemoteServer): Pick<CliUseCases, 'importSubscriptions'> => ({
  importSubscriptions: {
    execute: async ({ format, body, names = {}, mail, dryRun, onProgress, stop }) => {
      // A file can be sent once: before, the server has to take the token, and to be ready.
      await remotePage(server, { path: '/subscriptions' }, schemas.any, { limit: 1 })
      const file = new SentFile(body)
      const type = TYPES[format === 'csv' ? 'csv' : 'ndjson']
      const query = { mail, map: mapOf(names), dry_run: dryRun ? 'true' : undefined }
      return report(
        async () =>
          await server.open({
            method: 'POST',
            path: '/subscriptions/import',
            query,
            file: { type, body: file.bytes() },
          }),
        file,
        { onProgress, stop },
      )
    },
  },
})

type Watching = Pick<Parameters<CliUseCases['importSubscriptions']['execute']>[0], 'onProgress' | 'stop'>

async function* report(
  send: () => Promise<AsyncIterable<Uint8Array>>,
  file: SentFile,
  { onProgress, stop }: Watching,
): AsyncGenerator<ImportReportLine> {
  let summary: ImportSummary | undefined
  let refused = 0
  try {
    for await (const line of linesOf(await send())) {
      const { error, line: number } = decode(schemas.any, line)
      if (error != null && number == null) throw refusalOf(line)
      const entry = line as ImportReportLine
      if ('line' in entry) refused++
      else summary = entry
      onProgress?.({ ...NOTHING, ...summary, rows: summary?.rows ?? refused, refused })
      yield entry
    }
  } catch (error) {
    if (stop?.aborted) throw interrupted('Interrupted. Run the same command again to go on where it stopped.')
    // What kept the file from being read is more than that its connection broke off.
    throw file.failure ?? error
  }
  if (summary === undefined) throw unexpectedAnswer('the report has no end')
}

const NOTHING = { rows: 0, imported: 0, unchanged: 0, refused: 0, confirmed: 0, pending: 0, ended: 0 }

/** A file on its way, and what went wrong with reading it. */
class SentFile {
  readonly #body: AsyncIterable<Uint8Array>
  failure: unknown

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#body
    } catch (error) {
      this.failure = error
      throw error
    }
  }
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parsed(line)
  }
  if (rest !== '') yield parsed(rest)
}

const parsed = (line: string): unknown => parsedJson(line, 'the report is not NDJSON')

/** `email:E-Mail,name:Full Name` */
const mapOf = (names: FieldNames): string | undefined => {
  const pairs = Object.entries(names).map(([field, name]) => `${field}:${name}`)
  return pairs.length === 0 ? undefined : pairs.join(',')
}
