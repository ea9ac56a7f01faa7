import { parsedJson, unexpectedAnswer } from './unexpected-answer.ts'

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
