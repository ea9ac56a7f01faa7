import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addAbortSignal, type Readable } from 'node:stream'
import { CliError, interrupted, usageError } from '../cli-error.ts'
import { fileOrPipe, whyUnreadable } from '../input-file.ts'
import { NOT_WRITABLE, whyUnwritable } from '../whole-file.ts'
import type { BulkRow } from './bulk-row.ts'
import { IdListUnreadable, idList, type OtherColumns, SeenIds } from './id-list.ts'
import type { PlannedUser } from './plan-file.ts'

export interface IdRow {
  /** Empty if the row is. */
  readonly id: string
  /** The id has come before. */
  readonly repeated: boolean
  /** What the plan says, if one is applied. */
  readonly planned?: PlannedUser | undefined
  /** Why it is about no user. */
  readonly refusal?: BulkRow['error']
}

/** Ids in the order they were given, however many: only a few are in memory at a time. */
export interface IdSource {
  /** Whether `rows` can be read twice, so that one can count before one asks. */
  readonly rereadable: boolean
  /** @throws {CliError} the list cannot be read, or not as a list of ids */
  rows(): AsyncGenerator<IdRow>
}

interface IdOrigin {
  readonly ids: readonly string[]
  /** A path, or `-` for standard input. */
  readonly from: string | undefined
  readonly columns?: OtherColumns
}

/** @throws {CliError} there is no such file, or it cannot be a list */
export const openIdSource = async (
  { ids, from, columns }: IdOrigin,
  stdin: Readable,
  signal: AbortSignal,
): Promise<IdSource> => {
  const rereadable = from === undefined || (from !== '-' && (await isPlainFile(from)))
  const chunks = async (path: string): Promise<Readable> =>
    addAbortSignal(signal, path === '-' ? stdin : await fileOrPipe(path))
  return {
    rereadable,
    rows: async function* () {
      const seen = new SeenIds()
      const row = (id: string): IdRow => ({ id, repeated: id !== '' && !seen.add(id) })
      for (const id of ids) yield row(id)
      if (from === undefined) return
      try {
        for await (const id of idList(await chunks(from), columns)) yield row(id)
      } catch (error) {
        throw unreadable(from, error)
      }
    },
  }
}

const isPlainFile = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (found.isDirectory()) throw usageError(`'${path}' is a folder. Give a file with one id a line, or CSV.`)
  return found.isFile()
}

const unreadable = (path: string, error: unknown): unknown => {
  const name = path === '-' ? 'standard input' : `'${path}'`
  const sentence = `Cannot read the ids from ${name}.`
  if (error instanceof IdListUnreadable) return usageError(`${sentence} ${error.message}`, { cause: error })
  if (error instanceof Error && error.name === 'AbortError') return interrupted('Interrupted.')
  const reason = whyUnreadable(error)
  return reason === undefined ? error : usageError(`${sentence} ${reason}`, { cause: error })
}

export interface IdCount {
  readonly rows: number
  /** Distinct ids of users to change. */
  readonly users: number
  readonly first: string | undefined
}

/** @throws {CliError} the list is broken somewhere, be it at its end */
export const countIds = async (source: IdSource): Promise<IdCount> => {
  let [rows, users, first] = [0, 0, undefined as string | undefined]
  for await (const row of source.rows()) {
    rows++
    if (!isMeant(row)) continue
    users++
    first ??= row.id
  }
  return { rows, users, first }
}

/** The first of the rows that are about a user. */
export const firstMeant = async (source: IdSource, most: number): Promise<readonly IdRow[]> => {
  const rows: IdRow[] = []
  for await (const row of source.rows()) {
    if (isMeant(row)) rows.push(row)
    if (rows.length === most) break
  }
  return rows
}

const isMeant = ({ id, repeated, planned, refusal }: IdRow): boolean =>
  id !== '' && !repeated && (planned?.refusal ?? refusal) === undefined

const BUFFERED = 65_536

/**
 * The ids of a source, spooled to a temporary file without a name: they can be read again, and stay as they were read.
 * @throws {CliError} there is no room for that file
 */
export const spooled = async (source: IdSource): Promise<IdSource & AsyncDisposable> => {
  const file = await inTemporary(unnamedFile)
  const append = (text: string): Promise<void> => inTemporary(() => file.appendFile(text))
  try {
    let text = ''
    for await (const row of source.rows()) {
      text += `${JSON.stringify(row)}\n`
      if (text.length < BUFFERED) continue
      await append(text)
      text = ''
    }
    await append(text)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    rereadable: true,
    rows: async function* () {
      const input = file.createReadStream({ start: 0, autoClose: false, encoding: 'utf8' })
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
        yield JSON.parse(line) as IdRow
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

const unnamedFile = async (): Promise<FileHandle> => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-ids-'))
  try {
    return await open(join(folder, 'ids'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const inTemporary = async <Result>(write: () => Promise<Result>): Promise<Result> => {
  try {
    return await write()
  } catch (cause) {
    const sentence = `Cannot write a temporary file in '${tmpdir()}'. ${whyUnwritable(cause)}`
    throw new CliError(`${sentence} Set TMPDIR to a folder that can be written.`, { ...NOT_WRITABLE, cause })
  }
}
