import { linesOf, textOf } from '@rollcall/client'
import { usageError } from '../cli-error.ts'
import type { Session } from '../session.ts'
import { importSource } from './import-source.ts'

/**
 * What is to be checked, in bundles: the words of the command line, or the lines of a file.
 * @throws {CliError} both are given, or neither; or the file cannot be read
 */
export async function* wordsFrom(
  session: Session,
  words: readonly string[],
  { from, atOnce, what }: { readonly from: string | undefined; readonly atOnce: number; readonly what: string },
): AsyncGenerator<readonly string[]> {
  if (words.length > 0 === (from !== undefined)) throw usageError(`Give ${what}, or a file with --from.`)
  let bundle: string[] = []
  for await (const word of from === undefined ? words : linesIn(session, from)) {
    if (word.trim() === '') continue
    bundle.push(word.trim())
    if (bundle.length < atOnce) continue
    yield bundle
    bundle = []
  }
  if (bundle.length > 0) yield bundle
}

const linesIn = (session: Session, from: string): AsyncIterable<string> =>
  linesOf(textOf(importSource(from, session.io.stdin, session.io.signal)))
