import { stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import type { RecordFormat } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { cannotRead, fileOrPipe } from '../input-file.ts'

/**
 * The bytes of a file, or of standard input if it is named `-`; they end with an error once the signal comes.
 * @throws {CliError} it cannot be read
 */
export async function* importSource(path: string, stdin: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, path === '-' ? stdin : await fileOrPipe(path))
  } catch (error) {
    throw cannotRead(path, error)
  }
}

const ENDINGS: readonly (readonly [RegExp, RecordFormat])[] = [
  [/\.csv$/i, 'csv'],
  [/\.(?:ndjson|jsonl)$/i, 'ndjson'],
]

/** Undefined if the name of the file does not tell. */
export const formatOfName = (path: string): RecordFormat | undefined =>
  ENDINGS.find(([ending]) => ending.test(path))?.[1]

/** @throws {CliError} the name of the file does not tell, or there is no such file */
export const formatByName = async (path: string): Promise<RecordFormat> => {
  const format = formatOfName(path)
  if (format !== undefined) return format
  if (path !== '-') await requireFile(path)
  throw usageError('Say what the file is: add --format ndjson or --format csv.')
}

const requireFile = async (path: string): Promise<void> => {
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  if (found.isDirectory()) throw usageError(`Cannot read '${path}'. It is a folder.`)
}
