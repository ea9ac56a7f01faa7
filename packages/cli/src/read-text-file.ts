import { readFile } from 'node:fs/promises'
import { usageError } from './cli-error.ts'
import { whyUnreadable } from './file-trouble.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a file, without the line break that editors put at its end.
 * @throws {CliError} it cannot be read, or is not UTF-8
 */
export const readTextFile = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    const reason = whyUnreadable(error)
    throw reason === undefined ? error : usageError(`Cannot read '${file}'. ${reason}`, { cause: error })
  })
  try {
    return utf8.decode(bytes).replace(/\r?\n$/, '')
  } catch (cause) {
    throw usageError(`Cannot read '${file}'. It is not UTF-8.`, { cause })
  }
}
