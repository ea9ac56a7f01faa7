import {
  type Caller,
  type FieldNames,
  parseColumns,
  parseFieldNames,
  parseRecordFormat,
  parseStatusMeanings,
  type RecordFormat,
} from '@rollcall/core'
import { errorResponseTo, HttpError } from '../error-response.ts'
import { callerOf, type Handler, type RouteContext } from '../exchange.ts'
import type { HttpOptions } from '../http-options.ts'
import { type Fields, fieldsOfQuery } from '../reading/fields.ts'
import { FILE_TYPES, recordFormatOf } from '../reading/media-type.ts'
import { streamBody } from '../reading/request-body.ts'
import { sendStream } from '../send.ts'
import { allowTime } from '../server/connections.ts'

export const exportSubscriptions =
  ({ useCases }: HttpOptions): Handler =>
  async (ctx) => {
    const query = fieldsOfQuery(ctx.querystring)
    const command = { feed: query.text('feed'), status: query.text('status'), format: query.text('format') }
    query.assertGood()
    const pieces = await useCases.exportSubscriptions.execute(command, callerOf(ctx))
    const format = parseRecordFormat(command.format)
    ctx.res.setHeader('Content-Disposition', `attachment; filename="subscriptions.${format}"`)
    await sendStream(ctx, { type: FILE_TYPES[format], pieces })
  }

export const importSubscriptions = ({ useCases }: HttpOptions): Handler =>
  importing((file, query, caller) => {
    const statuses = parseStatusMeanings(query.text('status'))
    return useCases.importSubscriptions.execute({ ...file, statuses, mail: query.text('mail') }, caller)
  })

export const importUsers = ({ useCases }: HttpOptions): Handler =>
  importing((file, _query, caller) => useCases.importUsers.execute(file, caller))

export const importSuppressions = ({ useCases }: HttpOptions): Handler =>
  importing((file, _query, caller) => useCases.importSuppressions.execute(file, caller))

/** Refuses a body that is no file of records, before it is looked at. */
export const requireFile: Handler = (ctx, next) => {
  fileFormatOf(ctx)
  return next()
}

const fileFormatOf = ({ req }: RouteContext): RecordFormat => {
  const format = recordFormatOf(req.headers['content-type'] ?? '')
  if (format !== undefined) return format
  throw new HttpError('UnsupportedMediaType', 'Send application/x-ndjson or text/csv, in UTF-8.')
}

interface FileToImport {
  readonly format: RecordFormat
  readonly body: AsyncIterable<Uint8Array>
  readonly names: FieldNames
  readonly ignored: readonly string[]
  readonly dryRun: boolean | undefined
}

type Import = (file: FileToImport, query: Fields, caller: Caller) => Promise<AsyncIterable<object>>

/** Reads and answers at the same time. What a line of the answer reports is on durable storage. */
const importing =
  (execute: Import): Handler =>
  async (ctx) => {
    const { req, res, state } = ctx
    const format = fileFormatOf(ctx)
    const body = streamBody(req, res)
    const query = fieldsOfQuery(ctx.querystring)
    const [map, ignore] = ['map', 'ignore', 'mail', 'status'].map((name) => query.text(name))
    const dryRun = query.flag('dry_run')
    query.assertGood()
    const file = { format, body, names: parseFieldNames(map), ignored: parseColumns(ignore), dryRun }
    allowTime(req)
    const report = await execute(file, query, callerOf(ctx))
    await sendStream(ctx, {
      type: FILE_TYPES.ndjson,
      pieces: linesOf(report),
      lastPiece: (error) => `${errorResponseTo(error, state.rollcall.requestId).body}\n`,
    })
  }

async function* linesOf(report: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const line of report) yield `${JSON.stringify(line)}\n`
}
