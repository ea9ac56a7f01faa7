import {
  type FieldNames,
  type FileRow,
  InvalidInput,
  parseFileTime,
  preambleIn,
  readRecords,
  type UnusedColumns,
} from '@rollcall/core'
import type { ForeignFormat, ForeignKind, ForeignRow, MappedRow } from './foreign-formats.ts'
import type { ListFilter } from './list-filter.ts'

/** What the operator says of the rows of another service's file. */
export interface ForeignOrder {
  readonly feed: string | undefined
  /** Take those alone that it lets through. */
  readonly list: ListFilter | undefined
  /** What proves the consent of those whose confirmation the file does not prove. */
  readonly evidence: { readonly consent: string; readonly confirmedAt: string } | undefined
  /** `email` and nothing else: what its column is called there. */
  readonly names: FieldNames
  /** Columns that decide nothing, or are not to. */
  readonly ignored: readonly string[]
}

/** A row that is not sent on. */
export interface UnsentRow {
  readonly line: number
  readonly error: 'LeftOut' | 'MalformedRow'
  readonly message: string
}

interface Means {
  readonly order: ForeignOrder
  readonly unused: UnusedColumns
  /** Awaited, so that a file of which nothing is sent on is read no faster than this takes it. */
  readonly onUnsent: (row: UnsentRow) => Promise<void>
}

/** About as much as a pipe holds. */
const PIECE = 32_768

/** Nobody has so many columns. */
const LONGEST_HEAD = 65_536

/**
 * Another service's file as NDJSON for an import: each row in the line that it has there, so that a report names the same.
 * However long the file, no more than a few rows are in memory.
 */
export async function* foreignRows(
  format: ForeignFormat,
  kind: ForeignKind,
  body: AsyncIterable<Uint8Array>,
  { order, unused, onUnsent }: Means,
): AsyncGenerator<Uint8Array> {
  const { needed, others, lists } = format.columns
  const harmless = new Set(format.columns.unused.map((name) => name.toLowerCase()))
  // What is in another file of an archive came in as one who left, or not at all.
  const isWatched = kind === 'subscribed'
  const [email] = format.columns.email
  // Read only if it is asked for: an audience may have a column of its own that is called so, too.
  const named = order.list === undefined || lists === undefined ? [] : [lists]
  const { head, whole } = await headOf(body)
  const there = columnsIn(head)
  const names = namesIn(there, format, order.names.email)
  const required = [email, ...needed, ...named]
  const stretches = await readRecords({
    format: 'csv',
    body: whole,
    fields: [...required, ...others],
    required,
    names,
    decides: (name) => unused.decides(name),
    address: email,
  }).catch((error: unknown) => {
    const missing = required.find((name) => !there.includes((names[name] ?? name).toLowerCase()))
    const mayMap = head === '' || missing === undefined || missing === email
    throw mayMap || !(error instanceof InvalidInput) ? error : notItsExport(format, missing)
  })
  let piece = ''
  let lines = 0
  for await (const stretch of stretches)
    for (const row of stretch) {
      if ('problem' in row) {
        await onUnsent({ line: row.line, error: 'MalformedRow', message: row.problem })
        continue
      }
      const unknown = row.others.filter(([column]) => !harmless.has(column.toLowerCase()))
      if (isWatched) unused.note(unknown)
      unused.name(row.others)
      const text: ForeignRow = (column) => inOneLine(String(row.fields[column] ?? ''))
      if (order.list?.takes(text(lists ?? '')) === false) continue
      const address = text(email)
      const isDoubtful = format.disguises !== true && row.disguised?.includes(email) === true
      const its = mappedRow(format.map(text, kind), isDoubtful, order)
      const mapped = watchedRow(its, isWatched ? unknown : [], unused)
      if ('leftOut' in mapped) {
        await onUnsent({ line: row.line, error: 'LeftOut', message: mapped.leftOut })
        continue
      }
      if ('problem' in mapped) {
        await onUnsent({ line: row.line, error: 'MalformedRow', message: mapped.problem })
        continue
      }
      piece += `${'\n'.repeat(row.line - lines - 1)}${JSON.stringify({ email: address, ...mapped.fields })}\n`
      lines = row.line
      if (piece.length < PIECE) continue
      yield Buffer.from(piece)
      piece = ''
    }
  if (piece !== '') yield Buffer.from(piece)
}

/** There, a name may have had line breaks; here, none may. */
const inOneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** The line that names the columns, one character a byte; and all bytes, that line again among them. */
const headOf = async (body: AsyncIterable<Uint8Array>) => {
  const source = body[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  let text = ''
  while (text.length < LONGEST_HEAD && namingLine(wholeLinesOf(text)) === undefined) {
    const { value, done } = await source.next()
    if (done === true) break
    taken.push(value)
    text += Buffer.from(value).toString('latin1')
  }
  return { head: namingLine(text) ?? '', whole: goOn(taken, source) }
}

const wholeLinesOf = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)

const namingLine = (text: string): string | undefined =>
  text
    .replace(/^\xef\xbb\xbf/, '')
    .split(/[\r\n]/)
    .find((line) => line.trim() !== '' && preambleIn(line) === undefined)

async function* goOn(taken: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* taken
    for (;;) {
      const { value, done } = await source.next()
      if (done === true) return
      yield value
    }
  } finally {
    await source.return?.()
  }
}

/** Beside the address, no column can be mapped. */
const notItsExport = ({ label }: ForeignFormat, column: string): InvalidInput => {
  const message = `The first line names no column '${column}', which an export of ${label} has. Export it again; or import the file without --from, and say who left: --map status=COLUMN.`
  return new InvalidInput([{ field: 'columns', message }])
}

const columnsIn = (head: string): readonly string[] =>
  head.split(/[,;\t]/).map((name) => name.replaceAll('"', '').trim().toLowerCase())

/**
 * What columns are called in this file that have several names. Not that of the address if another column may be meant: that
 * may hold the address of another person.
 */
const namesIn = (there: readonly string[], { columns }: ForeignFormat, address: string | undefined): FieldNames => {
  const names: Record<string, string> = Object.create(null)
  const note = ([usual = '', ...others]: readonly string[]): void => {
    const found = [usual, ...others].find((name) => there.includes(name.toLowerCase()))
    if (found !== undefined && found !== usual) names[usual] = found
  }
  const addresses = new Set(columns.email.map((name) => name.toLowerCase()))
  const mayBeAddress = (name: string): boolean =>
    addresses.has(name) || (name.includes('mail') && name !== 'email_type')
  const isClear = there.filter(mayBeAddress).length === 1
  if (address !== undefined) names[columns.email[0]] = address
  else if (isClear) note(columns.email)
  for (const called of columns.called ?? []) note(called)
  return names
}

/** A row that does not come as one who left must not say so in a column that its service does not usually have. */
const watchedRow = (mapped: MappedRow, unknown: FileRow['others'], unused: UnusedColumns): MappedRow => {
  if (!('fields' in mapped) || mapped.fields.status === 'ended') return mapped
  try {
    unused.requireHarmless(unknown)
    return mapped
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { problem: error.details.map(({ field, message }) => `'${field}': ${message}`).join(' ') }
  }
}

const DOUBTFUL =
  'Its address has the apostrophe that keeps spreadsheets from taking it for a formula. Remove the apostrophe, or import the row as NDJSON.'

const mappedRow = (mapped: MappedRow, isDoubtful: boolean, { feed, evidence }: ForeignOrder): MappedRow => {
  if (!('fields' in mapped)) return mapped
  if (isDoubtful) return { problem: DOUBTFUL }
  const { fields } = mapped
  const isOfThese = fields.status === 'pending' && mapped.unconfirmed !== true
  const proven = isOfThese && evidence !== undefined && isBy(fields.created_at, evidence.confirmedAt)
  const confirmation = proven
    ? { confirmed_at: evidence.confirmedAt, consent: evidence.consent, status: undefined }
    : {}
  return { fields: { ...fields, ...confirmation, feed } }
}

/** The evidence is only about people who came by that day, and of whom that is known. */
const isBy = (createdAt: unknown, confirmedAt: string): boolean => {
  const at = typeof createdAt === 'string' ? dayIn(createdAt) : undefined
  return at !== undefined && at <= confirmedAt
}

/** Undefined if it cannot be read, or is the zero date. */
const dayIn = (text: string): string | undefined => {
  try {
    const at = parseFileTime(text, 'created_at', Date.now())
    return at === undefined || at === 0 ? undefined : new Date(at).toISOString().slice(0, 10)
  } catch (error) {
    if (error instanceof InvalidInput) return undefined
    throw error
  }
}
