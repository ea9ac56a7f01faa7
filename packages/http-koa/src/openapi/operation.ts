import { type Guarded, SORTS } from '@rollcall/core'
import { type ErrorName, STATUS } from '../error-response.ts'
import * as s from './schema.ts'
import type { SchemaName } from './schemas.ts'

/** One parameter of a query or a path. */
export interface Parameter {
  readonly description: string
  readonly schema: s.Schema
  readonly example?: string | number | boolean
  /** One of a path always is. */
  readonly required?: boolean
}

/** Files that are imported row by row: the schemas of a row, and of a line of the report. */
export const IMPORTS = {
  import: { row: 'ImportRow', report: 'ImportReportLine', csv: 'email,name,feed\njane@example.com,Jane Doe,default\n' },
  'user-import': {
    row: 'UserImportRow',
    report: 'UserImportReportLine',
    csv: 'id,email,name,roles\njane,jane.doe@example.com,Jane Doe,auditor\n',
  },
  'suppression-import': {
    row: 'SuppressionImportRow',
    report: 'SuppressionReportLine',
    csv: 'email,cause,at\njane@example.com,unsubscribed,2026-01-31\n',
  },
} as const satisfies Record<string, { readonly row: SchemaName; readonly report: SchemaName; readonly csv: string }>

type ImportName = keyof typeof IMPORTS
type ReportName = `${ImportName}-report`

/** Whether the body is a file that is imported; undefined if not. */
export const importNamed = (body: string) => (IMPORTS as Readonly<Record<string, (typeof IMPORTS)[ImportName]>>)[body]

/** The description of one endpoint, beyond what follows from its path. */
export interface Operation {
  readonly id: string
  readonly summary: string
  /** The use case that says which permission it takes; public where absent. */
  readonly guarded?: Guarded
  /** Also for the user itself, whatever its roles. */
  readonly self?: boolean
  /** A caller who may not see the record gets the same 404 as for an unknown one. */
  readonly hidden?: boolean
  readonly query?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Parameter>>
  /** May also come with a token that has this permission. */
  readonly alsoGuarded?: Guarded
  readonly body?: SchemaName | ImportName | 'picture'
  /** It may be left out. */
  readonly bodyOptional?: boolean
  /** The body is JSON alone, and may have 512 KiB. */
  readonly jsonOnly?: boolean
  /** The body is taken whatever its type, and is signed: no token stands beside it. */
  readonly anyType?: boolean
  /** The body is a merge patch (RFC 7396), and the answer has the validator of what it left. */
  readonly mergePatch?: boolean
  /** Status to what is in the body; `page` for HTML, `preview` for HTML or a mail, `picture` for a PNG or an SVG, `script` for a script, null for nothing. */
  readonly answers: Readonly<
    Record<number, SchemaName | 'page' | 'preview' | 'picture' | 'script' | 'export' | ReportName | 'recipients' | null>
  >
  /** Also HTML, for clients that prefer it. */
  readonly orPage?: boolean
  /** Honours `If-Match`, `If-None-Match` and `If-Unmodified-Since`; with `read`, `If-Modified-Since`, too. */
  readonly conditional?: 'read' | 'write'
  /** Again is as good as once, as HTTP promises it for every method but POST and PATCH: a client may repeat it after a lost answer. */
  readonly idempotent?: boolean
  /** A member of the last line of a stream, without which that is incomplete. */
  readonly lastLine?: string
  /** Beyond those that follow from the rest. */
  readonly errors?: readonly ErrorName[]
}

export interface GuardedOperation extends Operation {
  readonly guarded: Guarded
}

/** A method, and a path with its parameters in braces. */
export type Route = `${string} /${string}`

export const PAGING = {
  limit: {
    description: 'How many at most.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    example: 20,
  },
  cursor: { description: "The 'next' of the page before.", schema: s.cursor },
} as const satisfies Operation['query']

/** Whether requests of it may change something. */
export const isWriting = (route: string): boolean => !route.startsWith('GET ')

/** The query of a list that can be sorted. */
export const SORTING = {
  ...PAGING,
  cursor: { description: "The 'next' or the 'previous' of a page of the same order.", schema: s.sortedCursor },
  sort: {
    description: 'Which come first.',
    schema: { ...s.oneOf(...SORTS), default: 'oldest' },
  },
} satisfies Operation['query']

/** The query of a list that goes on behind what the caller has, without a cursor. */
export const after = (description: string) => ({
  after: { description, schema: s.cursor },
  limit: PAGING.limit,
})

/** What fields are called in a file that is imported. */
export const fieldMap = (fields: readonly string[], example: string): Parameter => {
  const pair = `(?:${fields.join('|')}):[^,\\r\\n]+`
  return {
    description: `What a field is called in the file, as in '${example}'.`,
    schema: { type: 'string', pattern: `^${pair}(?:,${pair})*$` },
  }
}

const COLUMN = '(?:"(?:[^"\\r\\n]|"")+"|[^",\\r\\n]*[^",\\s][^",\\r\\n]*)'

/** Columns of a file that is imported which are not to be used. */
export const ignoredColumns = (description: string): Parameter => ({
  description: `${description} Separated by commas, a name that holds a comma in quotes.`,
  schema: { type: 'string', pattern: `^${COLUMN}(?:,${COLUMN})*$` },
  example: 'notes',
})

/** Why, for the audit trail. */
export const reason = (description: string): Parameter => ({
  description,
  schema: s.line(500),
  example: 'asked for by mail',
})

/** What becomes of the subscriptions of what is deleted. */
export const subscriptions = (description: string): Parameter => ({
  description,
  schema: { ...s.oneOf('keep', 'erase'), default: 'keep' },
})

/** An endpoint that shows a page. */
export const page = (id: string, summary: string): Operation => ({ id, summary, answers: { 200: 'page' } })

/** An endpoint that answers with a list. */
export const list = (
  id: string,
  guarded: Guarded,
  answer: SchemaName,
  summary: string,
  query: Operation['query'] = PAGING,
): GuardedOperation => ({ id, summary, guarded, query, answers: { 200: answer }, conditional: 'read' })

/** An endpoint that answers with one record, or says that there is none. */
export const one = (
  id: string,
  guarded: Guarded,
  answer: SchemaName,
  summary: string,
  ...errors: readonly ErrorName[]
): GuardedOperation => ({ id, summary, guarded, answers: { 200: answer }, conditional: 'read', errors })

/** Errors of any request with a body. */
export const BODY_ERRORS = ['PayloadTooLarge', 'UnsupportedMediaType'] as const

/** All errors of an endpoint but those that any may have: the names by status. */
export const errorsOf = (route: string, operation: Operation): Partial<Record<number, ErrorName[]>> => {
  const { guarded, hidden, query, body, conditional, errors = [] } = operation
  const possible: ErrorName[] = [...errors, 'MalformedRequest']
  if (guarded) possible.push('Unauthenticated')
  if (guarded && !hidden) possible.push('InsufficientPermissions')
  if (route.includes('{token}')) possible.push('LinkNotValid', 'TooManyRequests')
  if (body && !(body in IMPORTS)) possible.push(...BODY_ERRORS)
  if (conditional) possible.push('PreconditionFailed')
  const refusesQuery = guarded !== undefined && isWriting(route)
  if (query || refusesQuery || (body && !operation.anyType)) possible.push('InvalidInput')
  return Object.groupBy(new Set(possible), (name) => STATUS[name])
}
