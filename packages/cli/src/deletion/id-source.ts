import { stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { interrupted, usageError } from '../cli-error.ts'
import { fileOrPipe } from '../file-or-pipe.ts'
import { whyUnreadable } from '../why-unreadable.ts'
import type { PlannedUser } from './deletion-plan.ts'
import { IdListUnreadable, idList } from './id-list.ts'
import { SeenIds } from './seen-ids.ts'

export interface IdRow {
  /** Empty where the row is. */
  readonly id: string
  /** The id has come before. */
  readonly repeated: boolean
  /** What the plan says, where one is applied. */
  readonly planned?: PlannedUser | undefined
}

/** Ids in the order they were given, however many: only a few are in memory at a time. */
export interface IdSource {
  /** Whether `rows` can be read twice, so that one can count before one asks. */
  readonly rereadable: boolean
  /** @throws {CliError} the list cannot be read, or not as a list of ids */
  rows(): AsyncGenerator<IdRow>
}

export interface IdOrigin {
  readonly ids: readonly string[]
  /** A path, or `-` for standard input. */
  readonly from: string | undefined
}

/** @throws {CliError} there is no such file, or it cannot be a list */
export const openIdSource = async (
  { ids, from }: IdOrigin,
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
        for await (const id of idList(await chunks(from))) yield row(id)
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
  const told = `Cannot read the ids from ${name}.`
  if (error instanceof IdListUnreadable) return usageError(`${told} ${error.message}`, { cause: error })
  if (error instanceof Error && error.name === 'AbortError') return interrupted('Interrupted.')
  const reason = whyUnreadable(error)
  return reason === undefined ? error : usageError(`${told} ${reason}`, { cause: error })
}
