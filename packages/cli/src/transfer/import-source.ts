import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import type { RecordFormat } from '@rollcall/core'
import { CliError, ExitCode, usageError } from '../cli-error.ts'
import { cannotRead, fileOrPipe } from '../input-file.ts'

/** Something wrote to the file while it was read: what begins as one row may end as another, with an address nobody gave. */
export class FileChanged extends CliError {
  constructor(path: string) {
    const message = `'${path}' changed while it was read, and the rest of it is not taken. Run the command again once nothing writes to the file.`
    super(message, { name: 'FileChanged', exitCode: ExitCode.refused })
  }
}

/**
 * The bytes of a file, or of standard input if it is named `-`; they end with an error once the signal comes.
 * @throws {FileChanged} what comes next may be of another file
 * @throws {CliError} it cannot be read
 */
export async function* importSource(path: string, stdin: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const before = path === '-' ? undefined : await stat(path)
    const requireSame = async (): Promise<void> => {
      if (before?.isFile() && isChanged(before, await stat(path).catch(() => undefined))) throw new FileChanged(path)
    }
    for await (const piece of addAbortSignal(signal, path === '-' ? stdin : await fileOrPipe(path))) {
      await requireSame()
      yield piece
    }
    await requireSame()
  } catch (error) {
    throw cannotRead(path, error)
  }
}

/** What was read is whole if the name is gone by now, or another file has it. */
const isChanged = (before: Stats, after: Stats | undefined): boolean =>
  before.ino === after?.ino && (before.size !== after.size || before.mtimeMs !== after.mtimeMs)

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
