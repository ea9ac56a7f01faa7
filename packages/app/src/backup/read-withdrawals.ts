import { readFileSync } from 'node:fs'
import { type CliError, usageError } from '@rollcall/cli'
import type { Withdrawals } from '@rollcall/storage-sql/sqlite'
import { type Change, withdrawalsIn } from './latest-state.ts'

interface Since {
  readonly auditRecord: number
  readonly event: number
}

interface KeptWithdrawals {
  /** Files with nothing of after that. */
  readonly silentAfter: (since: Since) => readonly string[]
  /** Whether there are audit records, and no event, which knows more. */
  readonly recordsOnly: boolean
  readonly after: (since: Since) => Withdrawals
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What was withdrawn after a moment, of files with events or audit records: JSON documents one after
 * another, each an event, a record or a list of them.
 * @throws {CliError} a file cannot be read, or something in it is neither
 */
export const readWithdrawals = (files: readonly string[]): KeptWithdrawals => {
  const found = files.map((file) => ({ file, entries: entriesOf(file) }))
  const isAfter = (since: Since) => (entry: Fields) =>
    isEvent(entry) ? ofEvent(entry).order > since.event : ofRecord(entry).order > since.auditRecord
  const all = found.flatMap(({ entries }) => entries)
  return {
    recordsOnly: all.length > 0 && !all.some(isEvent),
    silentAfter: (since) => found.filter(({ entries }) => !entries.some(isAfter(since))).map(({ file }) => file),
    after: (since) => {
      const entries = all.filter(isAfter(since))
      const records = entries.filter((entry) => !isEvent(entry) && entry.outcome === 'done')
      return withdrawalsIn(entries.filter(isEvent).map(ofEvent), records.map(ofRecord))
    },
  }
}

const isEvent = ({ type }: Fields): boolean => typeof type === 'string'
const isRecord = ({ action, sequence }: Fields): boolean =>
  typeof action === 'string' && (sequence === null || Number.isInteger(sequence))

const ofEvent = ({ type, subject, time, sequence }: Fields): Change => ({
  what: String(type),
  subject: String(subject),
  order: Number(sequence),
  at: Date.parse(String(time)),
})

const ofRecord = ({ action, target, sequence, at }: Fields): Change => ({
  what: String(action),
  subject: String(target),
  order: Number(sequence),
  at: Date.parse(String(at)),
})

const entriesOf = (file: string): Fields[] => {
  const text = textOf(file)
  const refused = (at: number, found: string): CliError => {
    const line = text.slice(0, at).split('\n').length
    return usageError(`'${file}', line ${line}: here begins ${found}. ${REMEDY}`)
  }
  let last = 0
  // One that was not sealed yet has no number: it came after those before it, and before the next run of an export.
  const placed = (entry: Fields): Fields => {
    if (isEvent(entry)) return entry
    last = entry.sequence === null ? last + UNSEALED : Number(entry.sequence)
    return { ...entry, sequence: last }
  }
  return [...documentsIn(text)].flatMap(({ value, at }) => {
    if (value === undefined) throw refused(at, 'something that is no whole JSON document')
    const items = itemsOf(value)
    const entries = items.filter(isEntry).map(placed)
    if (entries.length < items.length) throw refused(at, 'a document with neither an event nor an audit record')
    return entries
  })
}

/** Records are numbered one by one, and so many wait at most. */
const UNSEALED = 2 ** -20

const REMEDY =
  'Look at it. Where a write was cut off, complete it; what does not belong here, take out. What is not in the file is not taken out of the backup.'

interface JsonDocument {
  /** Undefined if it is no JSON. */
  readonly value: unknown
  /** Where it begins. */
  readonly at: number
}

const MARK = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs

/** Documents one after another: one a line, or each over several lines, as a list is that is appended to a file. */
function* documentsIn(text: string): Generator<JsonDocument> {
  let [start, depth] = [0, 0]
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (mark === '{' || mark === '[') depth++
    if (mark !== '}' && mark !== ']') continue
    depth--
    if (depth > 0) continue
    yield documentIn(text, start, index + 1)
    start = index + 1
    depth = 0
  }
  if (text.slice(start).trim() !== '') yield documentIn(text, start, text.length)
}

const documentIn = (text: string, start: number, end: number): JsonDocument => {
  const part = text.slice(start, end)
  return { value: parsed(part), at: start + part.search(/\S/) }
}

const isEntry = (entry: unknown): entry is Fields =>
  isFields(entry) && (isEvent(entry) ? isSequence(entry.sequence) : isRecord(entry))

const isSequence = (value: unknown): boolean => typeof value === 'string' && /^\d{1,16}$/.test(value)

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A page of a list stands for what is on it. */
const itemsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  return isFields(value) && Array.isArray(value.items) ? value.items : [value]
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The caller reports a document that is not JSON.
    return undefined
  }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw usageError(`'${file}' cannot be read. Fix its name or its permissions.`, { cause })
  }
}
