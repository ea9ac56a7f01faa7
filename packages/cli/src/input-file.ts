import { constants, createReadStream, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { accessProblem } from '@rollcall/platform-node'
import { CliError, ExitCode, usageError } from './cli-error.ts'

const UNREADABLE: Readonly<Record<string, string | undefined>> = {
  EACCES: 'You may not read it.',
  EIO: 'Its disk has an error.',
  EISDIR: 'It is a folder.',
  ELOOP: 'It is a link that leads to itself.',
  ENAMETOOLONG: 'Its name is too long.',
  ENOENT: 'There is no such file.',
  ENOTDIR: 'A part of its path is not a folder.',
  // A socket; macOS has another code for it.
  ENXIO: 'It is not a file.',
  EOPNOTSUPP: 'It is not a file.',
  EPERM: 'You may not read it.',
}

/** Why a file could not be read, for a person; undefined if a person cannot fix it. */
export const whyUnreadable = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? UNREADABLE[String(error.code)] : undefined

/** The error for a person; any other as it is. */
export const cannotRead = (file: string, error: unknown): unknown => {
  const reason = whyUnreadable(error)
  return reason === undefined ? error : usageError(`Cannot read '${file}'. ${reason}`, { cause: error })
}

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

const LARGEST_TEXT = 65_536

/**
 * The text of a file, without the line break that editors put at its end.
 * @throws {CliError} it cannot be read, is too large, or is not UTF-8
 */
export const readTextFile = async (file: string): Promise<string> => {
  const { text, isWhole } = await beginningOf(file, LARGEST_TEXT)
  if (!isWhole) throw usageError(`Cannot read '${file}'. It has more than 64 KiB.`)
  return text.replace(/\r?\n$/, '')
}

export const LONGEST_TOKEN = 8_192

/**
 * The text of a file that holds an access token; `-` is standard input. No more is read than shows that it is too long.
 * @throws {CliError} it cannot be read, or is not UTF-8
 */
export const readTokenFile = async (file: string, stdin: Readable): Promise<string> => {
  if (file !== '-') return (await beginningOf(file, 2 * LONGEST_TOKEN)).text
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * LONGEST_TOKEN) break
  }
  return text
}

/** No more bytes than that, and one. */
const beginningOf = async (
  file: string,
  most: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> => {
  const pieces: Buffer[] = []
  try {
    for await (const piece of createReadStream(file, { end: most })) pieces.push(piece)
  } catch (error) {
    throw cannotRead(file, error)
  }
  const bytes = Buffer.concat(pieces)
  const isWhole = bytes.length <= most
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return { text, isWhole }
  } catch (cause) {
    throw usageError(`Cannot read '${file}'. It is not UTF-8.`, { cause })
  }
}

/** What is wrong with who can read or change a file with an access token; undefined if it is in order. */
export const tokenFileProblem = async (
  file: string,
): Promise<{ readonly refused: boolean; readonly message: string; readonly remedy: string } | undefined> => {
  // Reading it says why there is none; a pipe is of the process that made it.
  const stats = await stat(file).catch(() => undefined)
  if (stats === undefined || !stats.isFile()) return undefined
  const place = resolve(file)
  // Containers mount secrets as files of root that everybody may read.
  const found = accessProblem(place, stats, { mounted: process.geteuid?.() !== 0 })
  if (found === undefined) return undefined
  const { refused, problem, remedy } = found
  return { refused, message: `The file ${place}, which holds an access token, ${problem}.`, remedy }
}

/**
 * A file that is obeyed, such as one with an access token, as far as it can be trusted: what is worth a warning of it.
 * @throws {CliError} others can read or change it; with the command that ends that
 */
export const requirePrivate = async (file: string): Promise<string | undefined> => {
  const found = await tokenFileProblem(file)
  if (found === undefined) return undefined
  const sentence = `${found.message} ${found.remedy}`
  if (!found.refused) return sentence
  throw new CliError(sentence, { name: 'FileNotPrivate', exitCode: ExitCode.unusable })
}
