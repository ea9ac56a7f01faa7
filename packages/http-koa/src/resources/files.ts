import { type FieldNames, parseColumns, parseFieldNames, type RecordFormat } from '@rollcall/core'
import { errorResponseTo } from '../error-response.ts'
import type { Call, Media } from '../operation/operation.ts'
import { parameter, withDefault } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { FILE_TYPES } from '../reading/media-type.ts'
import { streamBody } from '../reading/request-body.ts'
import { fileFormatOf } from '../reading/require-file.ts'
import { sendStream } from '../send.ts'
import { allowTime } from '../server/connections.ts'

/** A file of records; in NDJSON each line is as the schema has it. */
export const fileOf = (row: s.Schema): Media => ({
  content: { 'application/x-ndjson': { schema: s.jsonOf(row) }, 'text/csv': { schema: { type: 'string' } } },
})

/** What fields are called in a file that is imported. */
export const fieldMap = (fields: readonly string[], example?: string) => {
  const pair = `(?:${fields.join('|')}):[^,\\r\\n]+`
  return parameter(
    "What a field is called in the file, as in 'email:E-Mail,name:Full Name'.",
    s.text(undefined, { pattern: `^${pair}(?:,${pair})*$` }),
    example,
  )
}

const COLUMN = '(?:"(?:[^"\\r\\n]|"")+"|[^",\\r\\n]*[^",\\s][^",\\r\\n]*)'

/** Columns of a file that is imported which are not to be used. */
const ignoredColumns = (description: string) =>
  parameter(
    `${description} Separated by commas, a name that holds a comma in quotes.`,
    s.text(undefined, { pattern: `^${COLUMN}(?:,${COLUMN})*$` }),
    'notes',
  )

export const DRY_RUN = {
  dry_run: parameter(
    'Whether only to report what would happen to each row, and change nothing.',
    withDefault(false, s.flag()),
  ),
}

/** The query of an import whose columns may be called otherwise. */
export const mapped = (fields: readonly string[], ignoring: string) => ({
  ...DRY_RUN,
  map: fieldMap(fields),
  ignore: ignoredColumns(ignoring),
})

/** What the last line of the report of an import may have. */
export const endOfImport = {
  dry_run: s.said(s.flag('Nothing was changed; missing where it was.'), { const: true }),
  ignored: s.texts('The columns that were not used; missing where there were none.'),
}

/** The same of imports that leave out what cannot be read. */
export const unread = s.arrayOf(
  s.record({ field: s.text(), value: s.text('The first of them.'), count: w.positive }),
  'Optional values that could not be read, and were left out; missing where there were none.',
)

const LINE = s.said(w.positive, 'The line of the file that the row begins in.')
const WHAT_TO_DO = s.text('What to do about it.')

/** What is reported of a row that was refused. */
export const refusedRow = (errors: readonly string[]) =>
  s.record({ line: LINE, error: s.oneOf(errors), message: WHAT_TO_DO }, { details: w.fieldProblems })

export const RefusedRow = s.named(
  'RefusedRow',
  refusedRow(['FeedNotFound', 'InvalidInput', 'MalformedRow', 'Suppressed']),
)
const BrokenOff = s.named(
  'BrokenOff',
  s.said(
    s.record(
      {
        error: s.oneOf([
          'InsufficientPermissions',
          'InternalError',
          'InvalidInput',
          'MalformedRequest',
          'Unauthenticated',
          'Unavailable',
        ]),
        message: WHAT_TO_DO,
      },
      { details: w.fieldProblems, request_id: s.text('The id to look for in the log.') },
    ),
    // A row that is refused has one.
    { not: { properties: { line: {} }, required: ['line'] } },
  ),
)

/** The answer to an import: a line for each refused row, and the summary. */
export const reportOf = (name: string, refused: s.Schema, summary: s.Schema): Media => {
  const line = s.named(
    name,
    s.anything({
      oneOf: [refused, summary, BrokenOff].map(s.jsonOf),
      description: 'One for each refused row, then the summary; or, if the import breaks off, why.',
    }),
  )
  return { content: { 'application/x-ndjson': { schema: s.jsonOf(line) } } }
}

interface FileToImport {
  readonly format: RecordFormat
  readonly body: AsyncIterable<Uint8Array>
  readonly names: FieldNames
  readonly ignored: readonly string[]
  readonly dryRun: boolean | undefined
}

interface ImportQuery {
  readonly dry_run: boolean | undefined
  readonly map?: string | undefined
  readonly ignore?: string | undefined
}

/** Reads and answers at the same time. What a line of the answer reports is on durable storage. */
export const importing =
  <Query extends ImportQuery>(
    execute: (file: FileToImport, call: Call<unknown, Query>) => Promise<AsyncIterable<object>>,
  ) =>
  async (call: Call<unknown, Query>): Promise<void> => {
    const { ctx, query } = call
    const { req, res, state } = ctx
    const body = streamBody(req, res)
    const names = parseFieldNames(query.map)
    const file = { format: fileFormatOf(req), body, names, ignored: parseColumns(query.ignore), dryRun: query.dry_run }
    allowTime(req)
    const report = await execute(file, call)
    await sendStream(ctx, {
      type: FILE_TYPES.ndjson,
      pieces: linesOf(report),
      lastPiece: (error) => `${errorResponseTo(error, state.rollcall.requestId).body}\n`,
    })
  }

async function* linesOf(report: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of report) yield `${JSON.stringify(line)}\n`
}
