import { type FieldNames, hasFormulaApostrophe, type RecordFormats } from '@rollcall/core/all'
import type { ForeignFormat, ForeignKind, ForeignRow, MappedRow } from './foreign-formats.ts'

/** What the operator says of the rows of another service's file. */
export interface ForeignOrder {
  readonly feed: string | undefined
  /** Take those alone that are on this list, or have this label or tag. */
  readonly list: string | undefined
  /** What proves the consent of those whose confirmation the file does not prove. */
  readonly evidence: { readonly consent: string; readonly confirmedAt: string } | undefined
  /** `email` and nothing else: what its column is called there. */
  readonly names: FieldNames
}

/** A row that is not sent on. */
export interface UnsentRow {
  readonly line: number
  readonly error: 'LeftOut' | 'MalformedRow'
  readonly message: string
}

interface Means {
  readonly formats: RecordFormats
  readonly order: ForeignOrder
  /** Awaited, so that a file of which nothing is sent on is read no faster than this takes it. */
  readonly onUnsent: (row: UnsentRow) => Promise<void>
}

/** About as much as a pipe holds. */
const PIECE = 32_768

/**
 * Another service's file as NDJSON for an import: each row in the line that it has there, so that a report names the same.
 * However long the file, no more than a few rows are in memory.
 */
export async function* foreignRows(
  format: ForeignFormat,
  kind: ForeignKind,
  body: AsyncIterable<Uint8Array>,
  { formats, order, onUnsent }: Means,
): AsyncGenerator<Uint8Array> {
  const { email, needed, others, lists } = format.columns
  const named = order.list === undefined || lists === undefined ? [] : [lists]
  const names = order.names.email === undefined ? {} : { [email]: order.names.email }
  const fields = [email, ...needed, ...others, ...(lists === undefined ? [] : [lists])]
  const stretches = await formats.read({ format: 'csv', body, fields, required: [email, ...needed, ...named], names })
  let piece = ''
  let lines = 0
  for await (const stretch of stretches)
    for (const row of stretch) {
      if ('problem' in row) {
        await onUnsent({ line: row.line, error: 'MalformedRow', message: row.problem })
        continue
      }
      const text: ForeignRow = (column) => String(row.fields[column] ?? '').trim()
      if (order.list !== undefined && !isOn(order.list, text(lists ?? ''))) continue
      const address = text(email)
      const mapped = mappedRow(format.map(text, kind), address, order)
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

const isOn = (list: string, lists: string): boolean => {
  const wanted = list.trim().toLowerCase()
  return lists.split(',').some((one) => one.replaceAll('"', '').trim().toLowerCase() === wanted)
}

const mappedRow = (mapped: MappedRow, address: string, { feed, evidence }: ForeignOrder): MappedRow => {
  // Taken literally, it would be the address of another person.
  if (hasFormulaApostrophe(address))
    return { leftOut: 'Its address begins with the apostrophe that keeps spreadsheets from taking it for a formula.' }
  if (!('fields' in mapped)) return mapped
  const { fields } = mapped
  const proven = fields.status === 'pending' && evidence !== undefined && isBy(fields.created_at, evidence.confirmedAt)
  const confirmation = proven
    ? { confirmed_at: evidence.confirmedAt, consent: evidence.consent, status: undefined }
    : {}
  return { fields: { ...fields, ...confirmation, feed } }
}

/** The evidence is only about people who came by that day. */
const isBy = (createdAt: unknown, confirmedAt: string): boolean =>
  typeof createdAt !== 'string' || createdAt.slice(0, 10) <= confirmedAt.slice(0, 10)
