import { linesOf, textOf } from '@rollcall/client'
import { usageError } from '../cli-error.ts'
import type { Session } from '../session.ts'
import { importSource } from './import-source.ts'

/**
 * What is to be checked, in bundles: the words of the command line, or the lines of a file that are not blank.
 * @throws {CliError} both are given, or neither; or the file cannot be read, or has nothing: that all is well would be
 * the wrong answer to an empty list, which a failed command before may have written
 */
export async function* wordsFrom(
  session: Session,
  words: readonly string[],
  { from, atOnce, what }: { readonly from: string | undefined; readonly atOnce: number; readonly what: string },
): AsyncGenerator<readonly string[]> {
  if (words.length > 0 === (from !== undefined)) throw usageError(`Give ${what}, or a file with --from.`)
  let bundle: string[] = []
  let isEmpty = true
  for await (const word of from === undefined ? words : linesIn(session, from)) {
    if (from !== undefined && word.trim() === '') continue
    isEmpty = false
    bundle.push(word.trim())
    if (bundle.length < atOnce) continue
    yield bundle
    bundle = []
  }
  if (isEmpty) throw usageError(`Give ${what}. There are none in ${from}.`)
  if (bundle.length > 0) yield bundle
}

const linesIn = (session: Session, from: string): AsyncIterable<string> =>
  linesOf(textOf(importSource(from, session.io.stdin, session.io.signal)))
