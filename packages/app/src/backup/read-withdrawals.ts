import { readFileSync } from 'node:fs'
import { CliError, ExitCode } from '@rollcall/cli'
import type { Withdrawals } from '@rollcall/storage-sql/sqlite'
import { type Change, withdrawalsIn } from './latest-state.ts'

interface Since {
  readonly auditRecord: number
  readonly event: number
}

/** What was kept elsewhere. */
interface KeptWithdrawals {
  /** Files with nothing in them. */
  readonly silent: readonly string[]
  readonly after: (since: Since) => Withdrawals
}

type Fields = Readonly<Record<string, unknown>>

/**
 * What was withdrawn after a moment, of files with events or audit records: a document a line, or the pages of a list.
 * @throws {CliError} a file cannot be read, or something in it is neither
 */
export const readWithdrawals = (files: readonly string[]): KeptWithdrawals => {
  const found = files.map((file) => ({ file, entries: entriesOf(file) }))
  const entries = found.flatMap((one) => one.entries)
  const events = entries.filter(isEvent).map(ofEvent)
  const records = entries.filter((entry) => !isEvent(entry) && entry.outcome === 'done').map(ofRecord)
  return {
    silent: found.filter((one) => one.entries.length === 0).map(({ file }) => file),
    after: (since) =>
      withdrawalsIn(
        events.filter(({ order }) => order > since.event),
        records.filter(({ order }) => order > since.auditRecord),
      ),
  }
}

const isEvent = ({ type }: Fields): boolean => typeof type === 'string'
const isRecord = ({ action, sequence }: Fields): boolean => typeof action === 'string' && Number.isInteger(sequence)

const ofEvent = ({ type, subject, time, sequence }: Fields): Change => ({
  what: String(type),
  subject: String(subject),
  order: Number.parseInt(String(sequence), 36),
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
    // The caller reports a document that is not JSON.
    return undefined
  }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unusable(`'${file}' cannot be read. Fix its name or its permissions.`, cause)
  }
}

const unusable = (message: string, cause?: unknown): CliError =>
  new CliError(message, { name: 'UsageError', exitCode: ExitCode.usage, cause })
