import { randomBytes } from 'node:crypto'
import type { Caller, Guarded, ImportSummary, RefusedRow, SuppressionSummary, UserImportSummary } from '@rollcall/core'

/** Milliseconds after which a file that is not looked at any more is forgotten. */
const KEPT = 600_000
const AT_MOST = 4
/** Rows that are shown of each reason for which rows are refused, and reasons. */
const EXAMPLES = 5
const MOST_REASONS = 50
const PIECE = 65_536

/** `left_out` only of another service's file. */
export type AnySummary = (ImportSummary & { readonly left_out?: number }) | SuppressionSummary | UserImportSummary
export type Refusal = RefusedRow<string>

export interface Reason {
  readonly about: string
  count: number
  /** Each with the beginning of its line in the file, once that is read. */
  readonly examples: (Refusal & { text?: string })[]
}

/** What is to be done with a file: as it was told when it was looked at, by who asks for it now. */
export type ImportWork = (
  body: AsyncIterable<Uint8Array>,
  dryRun: boolean,
  caller: Caller,
) => Promise<AsyncIterable<Refusal | AnySummary>>

/** A file, first looked at and then imported, as it is and as it was told. */
export interface ImportJob {
  readonly id: string
  readonly size: number
  /** What who sent it needs, and who looks at it later. */
  readonly guarded: Guarded
  /** `looked`: nothing is changed yet, and what would be is known. */
  phase: 'looking' | 'looked' | 'importing' | 'done'
  /** Bytes that were read. */
  read: number
  reasons: Map<string, Reason>
  summary: AnySummary | undefined
  error: unknown
  /** Until this turn has ended; it never rejects. */
  turn: Promise<void>
}

interface ImportFile {
  readonly name: string
  readonly bytes: Uint8Array
}

interface Entry {
  readonly owner: string
  readonly forget: NodeJS.Timeout
  readonly file: ImportFile
  readonly work: ImportWork
  readonly job: ImportJob
}

/**
 * Imports of this process, each with its file: what is imported is what was looked at. They go on while nobody looks. A
 * process that stops forgets them; rows that it has taken in are there, and found so by the next import of the file.
 */
export class Imports {
  readonly #entries = new Map<string, Entry>()

  /** Looks at the file. In the place of the oldest if there are too many. */
  begin(
    file: ImportFile,
    { work, guarded }: { readonly work: ImportWork; readonly guarded: Guarded },
    caller: Caller,
  ): ImportJob {
    const idle = [...this.#entries].filter(([, { job }]) => job.phase !== 'importing').map(([id]) => id)
    for (const id of idle.slice(0, Math.max(0, this.#entries.size - AT_MOST + 1))) this.#forget(id)
    const id = randomBytes(12).toString('hex')
    const job: ImportJob = {
      id,
      size: file.bytes.length,
      guarded,
      phase: 'looking',
      read: 0,
      reasons: new Map(),
      summary: undefined,
      error: undefined,
      turn: Promise.resolve(),
    }
    const forget = setTimeout(() => this.#forget(id), KEPT).unref()
    const entry: Entry = { owner: caller.id, forget, file, work, job }
    this.#entries.set(id, entry)
    job.turn = this.#run(entry, true, caller)
    return job
  }

  /** Undefined if it is not the caller's, was forgotten, or is in another process. */
  find(id: string, caller: Caller): ImportJob | undefined {
    const entry = this.#entries.get(id)
    if (entry?.owner !== caller.id) return undefined
    entry.forget.refresh()
    return entry.job
  }

  /** The file of such a job: it need not be sent again to be told otherwise. */
  fileOf(id: string, caller: Caller): ImportFile | undefined {
    return this.find(id, caller) && this.#entries.get(id)?.file
  }

  /** Once, and only what was looked at to its end. Since then the caller may have lost a role. */
  carryOut({ id, phase, error }: ImportJob, caller: Caller): void {
    const entry = this.#entries.get(id)
    if (entry === undefined || phase !== 'looked' || error !== undefined) return
    entry.job.turn = this.#run(entry, false, caller)
  }

  async #run({ job, file: { bytes }, work }: Entry, dryRun: boolean, caller: Caller): Promise<void> {
    Object.assign(job, { phase: dryRun ? 'looking' : 'importing', read: 0, reasons: new Map(), summary: undefined })
    try {
      for await (const line of await work(piecesOf(bytes, job), dryRun, caller)) {
        if (!('line' in line)) job.summary = line
        else note(job.reasons, line)
      }
    } catch (error) {
      job.error = error
    }
    quote(bytes, job.reasons)
    job.phase = dryRun ? 'looked' : 'done'
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id)
    // What is under way is told to its end.
    if (entry?.job.phase === 'importing') return void entry.forget.refresh()
    clearTimeout(entry?.forget)
    this.#entries.delete(id)
  }
}

async function* piecesOf(bytes: Uint8Array, job: ImportJob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.subarray(at, at + PIECE)
    job.read = Math.min(bytes.length, at + PIECE)
  }
}

/** What of a line is shown. */
const LONGEST_QUOTE = 100

/** A message does not say what was refused; who reads it has the file. */
const quote = (bytes: Uint8Array, reasons: ImportJob['reasons']): void => {
  if (reasons.size === 0) return
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
  for (const { examples } of reasons.values())
    for (const example of examples) example.text = lines[example.line - 1]?.slice(0, LONGEST_QUOTE).toWellFormed() ?? ''
}

/** Rows are refused for one reason if they are told the same, but for the value that is quoted. */
const note = (reasons: Map<string, Reason>, row: Refusal): void => {
  const about = row.message.replace(/(?:'[^']*'|"[^"]*"|\u2018[^\u2019]*\u2019)(?!:)/g, '…')
  const reason = reasons.get(about) ?? (reasons.size < MOST_REASONS ? { about, count: 0, examples: [] } : undefined)
  if (reason === undefined) return
  reasons.set(about, reason)
  reason.count++
  if (reason.examples.length < EXAMPLES) reason.examples.push(row)
}
