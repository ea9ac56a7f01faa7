import { readFileSync } from 'node:fs'
import { CliError, ExitCode } from '@rollcall/cli'
import type { Withdrawals } from '@rollcall/storage-sql/sqlite'

interface Since {
  readonly auditRecord: number
  readonly event: number
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What was withdrawn after a moment, of files with events or audit records: a document a line, or the pages of a list.
 * @throws {CliError} a file cannot be read, or something in it is neither
 */
export const readWithdrawals = (files: readonly string[]): ((since: Since) => Withdrawals) => {
  const entries = files.flatMap((file) => entriesOf(file))
  return (since) => {
    const found = { users: new Map<string, number>(), erased: new Set<number>(), ended: new Map<number, number>() }
    for (const entry of entries) {
      if (isEvent(entry)) takeEvent(found, entry, since)
      else if (Number(entry.sequence) > since.auditRecord) takeRecord(found, entry)
    }
    return found
  }
}

type Found = { users: Map<string, number>; erased: Set<number>; ended: Map<number, number> }

const isEvent = ({ type }: Fields): boolean => typeof type === 'string'
const isRecord = ({ action, sequence }: Fields): boolean => typeof action === 'string' && Number.isInteger(sequence)

const takeEvent = ({ users, erased, ended }: Found, { type, subject, time, sequence }: Fields, since: Since): void => {
  if (Number.parseInt(String(sequence), 36) <= since.event) return
  const at = Date.parse(String(time))
  const id = Number(subject)
  if (type === 'user.deleted') users.set(String(subject), at)
  else if (type === 'subscription.erased') erased.add(id)
  else if (type === 'subscription.ended') ended.set(id, at)
  // Whoever came back has the last word.
  else ended.delete(id)
}

const takeRecord = ({ users, erased, ended }: Found, { action, target, outcome, at }: Fields): void => {
  if (outcome !== 'done') return
  const time = Date.parse(String(at))
  if (action === 'user.delete') users.set(String(target), time)
  else if (action === 'user.restore') users.delete(String(target))
  else if (action === 'subscription.erase') erased.add(Number(target))
  else if (action === 'subscription.end') ended.set(Number(target), time)
}

const entriesOf = (file: string): Fields[] => {
  const text = textOf(file)
  const whole = parsed(text)
  const documents =
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parsed)
      : [whole]
  return documents.flatMap(itemsOf).map((entry, index) => {
    if (isFields(entry) && (isEvent(entry) ? typeof entry.sequence === 'string' : isRecord(entry))) return entry
    throw unusable(`'${file}' has something in it that is neither an event nor an audit record (number ${index + 1}).`)
  })
}

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
    // Whoever asked sees that it is none.
    return undefined
  }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unusable(`'${file}' cannot be read. Mend its name or its rights.`, cause)
  }
}

const unusable = (message: string, cause?: unknown): CliError =>
  new CliError(message, { name: 'UsageError', exitCode: ExitCode.usage, cause })
