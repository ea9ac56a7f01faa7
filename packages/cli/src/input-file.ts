import { constants, createReadStream, openSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { usageError } from './cli-error.ts'

const UNREADABLE: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not read it.',
  EISDIR: 'It is a folder.',
  ENOENT: 'There is no such file.',
}

/** Why a file could not be read, for a person; undefined where a person cannot fix it. */
export const whyUnreadable = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? UNREADABLE[String(error.code)] : undefined

/**
 * The bytes of a file, or of a pipe with a name, such as `<(...)` makes. Read as a file, a pipe without a writer
 * would hold up a thread that the process waits for when it ends, Ctrl-C or not.
 */
export const fileOrPipe = async (path: string): Promise<Readable> => {
  if (!(await stat(path)).isFIFO()) return createReadStream(path)
  // Without a writer this does not block. The descriptor is the socket's, which closes it.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return new Socket({ fd, readable: true, writable: false })
}

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

export const LONGEST_TOKEN = 8_192

/**
 * The text of a file that holds an access token; `-` is standard input. No more is read than shows that it is too long.
 * @throws {CliError} it cannot be read, or is not UTF-8
 */
export const readTokenFile = async (file: string, stdin: Readable): Promise<string> => {
  if (file !== '-') return await readTextFile(file)
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * LONGEST_TOKEN) break
  }
  return text
}
