import { linesOf, textOf } from '@rollcall/client'
import {
  type AuditRecord,
  columnsText,
  type FieldNames,
  fieldNamesText,
  type ImportReportLine,
  type ImportSummary,
  isRefusedRow,
  type RefusedRow,
  type SuppressionReportLine,
  type SuppressionSummary,
  statusMeaningsText,
  type UserImportReportLine,
  type UserImportSummary,
  UserNotFound,
} from '@rollcall/core'
import * as v from 'valibot'
import { interrupted } from '../cli-error.ts'
import { AFTER_INTERRUPTION } from '../transfer/after-interruption.ts'
import { countingLines } from './counting-lines.ts'
import { decode, objectThenElements, parsedJson, unexpectedAnswer } from './decode.ts'
import { refusalOf } from './remote-answer.ts'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { optional } from './schema-parts.ts'
import { schemas } from './schemas.ts'

const EXPORT = v.object({
  subscriptions: v.array(schemas.subscription),
  tokens: v.array(schemas.token),
  sessions: v.array(schemas.session),
  waiting_feedback: v.array(schemas.waiting),
  deliverability: optional(schemas.deliverability),
  user: schemas.user,
})

/** Files that come over HTTP, as they come, and one that is sent while it is read. */
export const remoteFiles = (server: RemoteServer) =>
  ({
    exportSubscriptions: async ({ feed, status, format, onProgress }) => {
      const text = textOf(await server.open('exportSubscriptions', { feed, status, format }))
      // In NDJSON a line is a subscription.
      return format === 'csv' ? text : countingLines(text, onProgress)
    },
    exportUser: async ({ userId }) => {
      const bytes = await server.open('exportUser', { userId: inPath(UserNotFound, userId) })
      const pieces = objectThenElements(textOf(bytes), 'audit')
      const { waiting_feedback: waitingFeedback, ...head } = decode(EXPORT, (await pieces.next()).value)
      const [tokens, sessions] = [eachOf(head.tokens), eachOf(head.sessions)]
      return { ...head, waitingFeedback, tokens, sessions, audit: records(pieces) }
    },
    importSubscriptions: async (command) => {
      // A file can be sent once: before, the server has to take the token, and to be ready.
      await server.get('listSubscriptions', { limit: 1 }, schemas.pageOf(schemas.any))
      const { mail, statuses, onProgress } = command
      const reached = (rows: number, refused: number, last?: ImportSummary) =>
        onProgress?.({ ...NOTHING, ...last, rows, refused })
      const more = { mail, status: statusMeaningsText(statuses) }
      return importReport<ImportReportLine>(server, 'importSubscriptions', { ...command, more, reached })
    },
    importSuppressions: async (command) => {
      await server.get('listSuppressions', { limit: 1 }, schemas.pageOf(schemas.any))
      const reached = (rows: number, refused: number, last?: SuppressionSummary) =>
        command.onProgress?.({ imported: 0, unchanged: 0, blocked: 0, undeliverable: 0, ...last, rows, refused })
      return importReport<SuppressionReportLine>(server, 'importSuppressions', { ...command, more: {}, reached })
    },
    importUsers: async (command) => {
      await server.get('listUsers', { limit: 1 }, schemas.pageOf(schemas.any))
      const reached = (rows: number, refused: number, last?: UserImportSummary) =>
        command.onProgress?.({ imported: 0, ...last, rows, refused })
      return importReport<UserImportReportLine>(server, 'importUsers', { ...command, more: {}, reached })
    },
  }) satisfies Partial<RemoteUseCases>

async function* eachOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

async function* records(pieces: AsyncIterable<unknown>): AsyncGenerator<AuditRecord> {
  for await (const piece of pieces) yield decode(schemas.auditRecord, piece)
}

const NOTHING = { rows: 0, imported: 0, unchanged: 0, refused: 0, confirmed: 0, pending: 0, ended: 0 }

interface FileToSend<Line> {
  readonly format?: string | undefined
  readonly body: AsyncIterable<Uint8Array>
  readonly names?: FieldNames | undefined
  readonly ignored?: readonly string[] | undefined
  readonly dryRun?: boolean | undefined
  readonly stop?: { readonly aborted: boolean } | undefined
  /** Further parameters of the operation. */
  readonly more: object
  readonly reached: (rows: number, refused: number, last?: Exclude<Line, RefusedRow<string>>) => void
}

/** The report of an import, which comes while the file is sent. */
async function* importReport<Line extends object>(
  server: RemoteServer,
  operation: keyof typeof AFTER_INTERRUPTION,
  { format, body, names, ignored, dryRun, stop, more, reached }: FileToSend<Line>,
): AsyncGenerator<Line> {
  let failure: unknown
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      failure = error
      throw error
    }
  }
  const file = format === 'csv' ? { csv: bytes() } : { ndjson: bytes() }
  const told = { map: fieldNamesText(names), ignore: columnsText(ignored), dry_run: dryRun || undefined }
  const params = { ...more, ...told, body: file }
  let summary: { readonly rows: number; readonly refused: number } | undefined
  let refused = 0
  try {
    const report = await server.open(operation, params as never, { isFile: true })
    for await (const text of linesOf(textOf(report))) {
      const line = parsedJson(text, 'the report is not NDJSON')
      const { error, line: number } = decode(schemas.any, line)
      if (error != null && number == null) throw refusalOf(line)
      const entry = line as Line
      if (isRefusedRow(entry)) reached(++refused, refused)
      else {
        summary = entry as unknown as typeof summary
        reached(summary?.rows ?? 0, refused, entry as Exclude<Line, RefusedRow<string>>)
      }
      yield entry
    }
  } catch (error) {
    if (stop?.aborted) throw interrupted(AFTER_INTERRUPTION[operation])
    // What kept the file from being read is more than that its connection broke off.
    throw failure ?? error
  }
  if (summary === undefined) throw unexpectedAnswer('the report has no end')
}
