import { addAbortSignal, type Readable } from 'node:stream'
import type { RecordFormat } from '@rollcall/core'
import { usageError } from '../cli-error.ts'
import { fileOrPipe, whyUnreadable } from '../input-file.ts'

/**
 * The bytes of a file, or of standard input where it is named `-`; they end with an error once the signal comes.
 * @throws {CliError} it cannot be read
 */
export async function* importSource(path: string, stdin: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, path === '-' ? stdin : await fileOrPipe(path))
  } catch (error) {
    const reason = whyUnreadable(error)
    throw reason === undefined ? error : usageError(`Cannot read '${path}'. ${reason}`, { cause: error })
  }
}

const ENDINGS: readonly (readonly [RegExp, RecordFormat])[] = [
  [/\.csv$/i, 'csv'],
  [/\.(?:ndjson|jsonl)$/i, 'ndjson'],
]

/** @throws {CliError} the name of the file does not tell */
export const formatByName = (path: string): RecordFormat => {
  const format = ENDINGS.find(([ending]) => ending.test(path))?.[1]
  if (format !== undefined) return format
  throw usageError('Say what the file is: add --format ndjson or --format csv.')
}
