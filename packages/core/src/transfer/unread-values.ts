import { InvalidInput } from '../errors.ts'
import type { FileRow } from './record-formats.ts'
import { shown } from './unused-columns.ts'

/** A value that could not be read, and was left out: the row came in without it. */
export interface UnreadValue {
  readonly field: string
  readonly value: string
}

/** The same for a whole file: how many of a field, and the first of them. */
export interface UnreadField extends UnreadValue {
  readonly count: number
}

/** Fields without which a row is as good, if they say nothing. */
const OPTIONAL = ['name', 'locale', 'created_at', 'confirmed_at', 'ended_at', 'consent', 'at']
/** What programs and databases write for nothing; people may be called None, but hardly NULL. */
const NOTHING = /^(?:null|\\n|none|nil|undefined|n\/a|0|-|0000-00-00.*|0001-01-01.*)$/i
const NO_NAME = /^(?:NULL|\\N)$/

/** The row without what only says that there is nothing, and what that was. */
export const withoutNothings = (row: FileRow): { readonly row: FileRow; readonly unread: UnreadValue[] } => {
  const unread: UnreadValue[] = []
  for (const field of OPTIONAL) {
    const value = row.fields[field]
    if (typeof value === 'string' && (field === 'name' ? NO_NAME : NOTHING).test(value.trim()))
      unread.push({ field, value })
  }
  if (unread.length === 0) return { row, unread }
  const left = Object.entries(row.fields).filter(([name]) => !unread.some(({ field }) => field === name))
  return { row: { ...row, fields: Object.fromEntries(left) }, unread }
}

/** What was read; or undefined and a note, if it cannot be. */
export const ifReadable = <Value>(
  { fields }: FileRow,
  field: string,
  unread: UnreadValue[],
  read: () => Value,
): Value | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    unread.push({ field, value: String(fields[field]) })
    return undefined
  }
}

/** Says in its problem what could not be read. */
export const withValue = <Value>(value: string, read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    throw new InvalidInput(
      error.details.map(({ field, message }) => ({ field, message: `${shown(value)} cannot be read. ${message}` })),
    )
  }
}

/** Counts what was left out of a file. */
export class UnreadValues {
  readonly #fields = new Map<string, UnreadField>()

  note(values: readonly UnreadValue[]): void {
    for (const { field, value } of values) {
      const before = this.#fields.get(field) ?? { field, value: value.slice(0, 40), count: 0 }
      this.#fields.set(field, { ...before, count: before.count + 1 })
    }
  }

  /** As the last line of a report has it: missing if there were none. */
  get ofReport(): { readonly unread?: readonly UnreadField[] } {
    return this.#fields.size > 0 ? { unread: [...this.#fields.values()] } : {}
  }
}
