import * as v from 'valibot'
import { CliError, ExitCode } from '../cli-error.ts'

const UNEXPECTED_ANSWER = 'UnexpectedAnswer'

/** A server that cannot be used now. */
export const serverError = (name: string, message: string, cause?: unknown): CliError =>
  new CliError(message, { name, exitCode: ExitCode.unusable, cause })

/** The server is not a Rollcall server, or has another version. */
export const unexpectedAnswer = (what: string): CliError =>
  serverError(
    UNEXPECTED_ANSWER,
    `This is not how a Rollcall server answers (${what}). Check the address given with --server; or the server is of another version.`,
  )

/** The same error; where it is not Rollcall that answers, and the address has a path, it says what the path does. */
export const mentioningPath = (error: unknown, server: string): unknown => {
  const path = new URL(server).pathname
  if (path === '/' || !(error instanceof CliError) || error.name !== UNEXPECTED_ANSWER) return error
  const message = `${error.message} Every request went below '${path}': leave that out of --server, unless the service is there.`
  return serverError(error.name, message, error)
}

/** @throws {CliError} it is not JSON; `what` says what came instead */
export const parsedJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw unexpectedAnswer(what)
    throw error
  }
}

/**
 * The value as the schema has it.
 * @throws {CliError} it does not fit; with the name of the member at fault
 */
export const decode = <const Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> => {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true })
  if (success) return output
  const names = issues[0].path?.map(({ key }) => key).filter((key) => typeof key === 'string')
  throw unexpectedAnswer(`'${names?.at(-1) ?? 'answer'}'`)
}

const LARGEST_PIECE = 16 * 1024 * 1024

/**
 * Reads a JSON object whose last member is a long array, without ever having all of it in memory: first the object with
 * the array empty, then the elements one by one.
 * @throws {CliError} it is not such an object, or ends too soon
 */
export async function* objectThenElements(text: AsyncIterable<string>, array: string): AsyncGenerator<unknown> {
  const opening = `"${array}":[`
  let piece = ''
  let depth = 0
  let quoted = false
  let escaped = false
  let within = false
  for await (const chunk of text) {
    for (const character of chunk) {
      if (within && depth === 2 && !quoted && (character === ',' || character === ']')) {
        if (piece.trim() !== '') yield parsed(piece)
        piece = ''
        if (character === ',') continue
        within = false
      }
      piece += character
      if (escaped) escaped = false
      else if (quoted && character === '\\') escaped = true
      else if (character === '"') quoted = !quoted
      else if (quoted) continue
      else if (character === '{' || character === '[') depth++
      else if (character === '}' || character === ']') depth--
      if (depth === 2 && character === '[' && !within && piece.endsWith(opening)) {
        yield parsed(`${piece}]}`)
        piece = ''
        within = true
      }
      if (piece.length > LARGEST_PIECE) throw unexpectedAnswer('a record is too large')
    }
  }
  if (depth !== 0 || quoted || within) throw unexpectedAnswer('the document ends too soon')
}

const parsed = (piece: string): unknown => parsedJson(piece, 'what came is not JSON')
