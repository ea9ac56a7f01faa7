import type { Readable } from 'node:stream'
import { usageError } from '../cli-error.ts'
import { readTextFile } from '../read-text-file.ts'
import type { TokenSource } from './remote-options.ts'

const LONGEST = 8_192
const TOKEN = /^[\x21-\x7e]+$/

/**
 * The access token. Whatever is wrong with it, it is in no message.
 * @throws {CliError} there is none, it cannot be read, or it can be none
 */
export const readToken = async ({ token, tokenFile }: TokenSource, stdin: Readable): Promise<string> => {
  const text = token ?? (tokenFile === undefined ? '' : await contentOf(tokenFile, stdin))
  const read = text.trim()
  if (read === '') throw usageError('--server needs an access token: give --token-file with a file that holds one.')
  if (read.length > LONGEST || !TOKEN.test(read))
    throw usageError('This is no access token: it has characters that none has, or is too long.')
  return read
}

const contentOf = async (file: string, stdin: Readable): Promise<string> => {
  if (file !== '-') return await readTextFile(file)
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > 2 * LONGEST) break
  }
  return text
}
